"""The class Report: its arguments, its files, and names that mean harm."""

import json
import sys

import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError

from maxmargin import MaxMarginClustering, Report


@pytest.fixture(scope="module")
def simple():
    X, _ = make_blobs(60, 2, centers=3, random_state=0)
    return KMeans(3, n_init=1, random_state=0).fit(X), X


def test_save_by_ending(simple, tmp_path):
    report = Report(*simple, title="A title")
    report.save(tmp_path / "a.html")
    report.save(str(tmp_path / "a.JSON"))
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page == report.html()
    assert "<title>A title</title>" in page
    assert json.loads((tmp_path / "a.JSON").read_text(encoding="utf-8")) == report.summary
    assert len(list(tmp_path.iterdir())) == 2
    with pytest.raises(ValueError, match=r"path must end in \.html or \.json; got 'a\.pdf'"):
        report.save("a.pdf")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ids": ["a"]}, "ids must have one entry for each of the 60 rows; got 1"),
        ({"truth": [0] * 61}, "truth must have one entry for each of the 60 rows; got 61"),
        ({"title": 3}, "title must be a string or None; got 3"),
        ({"max_points": 0}, "max_points"),
    ],
)
def test_wrong_arguments(simple, arguments, message):
    with pytest.raises(ValueError, match=message):
        Report(*simple, **arguments)


def test_an_estimator_that_was_not_fitted(simple):
    with pytest.raises(NotFittedError):
        Report(KMeans(2), simple[1])


def test_ids_stand_for_rows(simple):
    model, X = simple
    page = Report(model, X, ids=[f"customer {i}" for i in range(60)]).html()
    assert "customer 59" in page


def test_a_notebook_gets_a_frame(simple):
    text = Report(*simple, title='"quoted" <b>')._repr_html_()
    assert text.startswith("<iframe srcdoc=")
    assert "<script" not in text
    assert 'title="&quot;quoted&quot; &lt;b&gt;"' in text


def test_hostile_names_are_escaped_everywhere():
    import pandas as pd

    X, y = make_blobs(60, 3, centers=2, random_state=0)
    bad = ["<script>alert(1)</script>", "</script><svg onload=alert(2)>", "\"'`${x}{{ y }}"]
    frame = pd.DataFrame(X, columns=bad)
    model = MaxMarginClustering(2, effort="fast", random_state=0).fit(frame)
    report = Report(
        model,
        frame,
        ids=[f'=HYPERLINK("http://x/{i}")</script>' for i in range(60)],
        truth=[f"<i>{label}" for label in y],
        title="</title><script>",
        warnings=bad,
    )
    page = report.html()
    for text in ("<script>alert", "<svg onload", "<i>0", "</title><script>", '")</script>'):
        assert text not in page
    assert page.count("</script>") == page.count("<script") == 2
    assert json.loads(report.json())["data"]["columns"][0]["name"] == bad[0]


def test_a_hundred_thousand_rows_give_a_small_file_that_says_what_it_draws():
    X, _ = make_blobs([60_000, 39_990, 10], 20, random_state=0)
    report = Report(KMeans(3, n_init=1, random_state=0).fit(X), X)
    page = report.html()
    assert len(page.encode()) < 5e6
    assert "2,000 of 100,000 rows are drawn" in page
    drawn = report.summary["drawn"]
    assert (drawn["n_drawn"], drawn["n_rows"]) == (2000, 100_000)
    assert sum(c["size"] for c in report.summary["partitions"][0]["clusters"]) == 100_000


def test_alternatives_of_some_rows_are_carried_over_to_all(rng):
    X = rng.uniform(size=(1200, 3))  # more than effort="fast" looks at, and no clusters in it
    model = MaxMarginClustering(3, effort="fast", random_state=0).fit(X)
    assert model.alternatives_
    first, *others = Report(model, X).summary["partitions"]
    assert len(others) == len(model.alternatives_)
    for partition in (first, *others):
        assert sum(c["size"] for c in partition["clusters"]) == 1200
    assert "found on 1,000 rows and carried over" in others[0]["changes"]["sentence"]
    elsewhere = Report(model, X[:50]).summary
    assert len(elsewhere["partitions"]) == 1
    assert "alternatives of the model are not shown" in elsewhere["warnings"][-1]


def test_what_is_missing_is_named(simple, monkeypatch):
    from maxmargin.report import page

    page._environment.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    report = Report(*simple)
    with pytest.raises(ImportError, match=r"maxmargin\[report\]"):
        report.html()
    assert json.loads(report.json())["data"]["n_rows"] == 60


def test_the_same_report_twice_is_the_same_page(simple):
    assert Report(*simple, max_points=20).html() == Report(*simple, max_points=20).html()
