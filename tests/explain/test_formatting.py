"""Names as long as there is room for them."""

import pytest

from maxmargin.explain.formatting import count, share, shorten, without_constants


@pytest.mark.parametrize("most", [5, 8, 60])
def test_shortened_names_have_both_ends(most):
    short = shorten("beginning of a name that ends in this " * 3, most)
    assert len(short) == most
    assert short.startswith("be")
    assert short.endswith("is")


def test_names_that_fit_stay_but_on_one_line():
    assert shorten("$a_b$ <c>", 9) == "$a_b$ <c>"
    assert shorten("a\nb\t c", 9) == "a b c"


def test_parameters_that_say_nothing_are_left_out():
    names = ["gaussian(width=1, alpha=2)", "gaussian(width=3, alpha=2)"]
    assert without_constants(names) == (["gaussian(width=1)", "gaussian(width=3)"], ["alpha=2"])
    names = ["a=1, k=2", "a=1, k=3"]
    assert without_constants(names) == (["k=2", "k=3"], ["a=1"])
    assert without_constants(["g(a=1)", "f(a=1)"]) == (["g", "f"], ["a=1"])


def test_names_stay_different():
    assert without_constants(["f(a=1)", "f"])[0] == ["f(a=1)", "f"]
    assert without_constants(["f(a=1)", "f(a=1, b=2)", "f"])[0] == ["f(a=1)", "f(a=1, b=2)", "f"]
    assert without_constants(["aa=1, b=2", "aa=1, b=3"]) == (["b=2", "b=3"], ["aa=1"])
    assert without_constants(["only(a=1)"]) == (["only(a=1)"], [])


def test_rows_in_words():
    assert (count(0, "row"), count(1, "row"), count(1234, "row")) == (
        "0 rows",
        "1 row",
        "1,234 rows",
    )


@pytest.mark.parametrize("n", [3, 199, 200, 201, 1000])
def test_shares_are_never_rounded_to_nothing_or_to_all(n):
    some = {share(part, n) for part in range(1, n)}
    assert not some & {"0%", "100%"}
    assert (share(0, n), share(n, n), share(0, 0)) == ("0%", "100%", "0%")
