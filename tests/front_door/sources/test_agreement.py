"""When another candidate replaces what the search chose."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

from maxmargin import MaxMarginClustering
from maxmargin.front_door.choice import pairwise_agreement
from maxmargin.front_door.sources.agreement import CandidateAgreement, loudest
from maxmargin.front_door.sources.source import Proposal

SEARCHED = np.repeat([0, 1], [20, 20])
OTHER = np.tile([0, 1], 20)
THIRD = np.repeat([0, 1, 0, 1], 10)
HIGH, LOW = 4.0, 1.0  # scores: R² of .98 and .63
STRONG, WEAK = 0.2, 0.1  # borders


def voices(labels, sources="ab", columns="raw"):
    return [Proposal(labels, source, "", columns=columns) for source in sources]


def asked(proposals, searched=HIGH, scores=None, borders=None, mixture=False, spaces=()):
    """The verdict where the search found SEARCHED, and OTHER in these spaces."""
    labels = [SEARCHED, *(OTHER for _ in spaces), *(p.labels for p in proposals)]
    n = len(labels) - 1
    return CandidateAgreement(
        ["x", *spaces],
        proposals,
        np.array([searched, *([searched] * n if scores is None else scores)]),
        pairwise_agreement(labels),
        np.array([STRONG, *([WEAK] * n if borders is None else borders)]),
        0,
        mixture,
    ).verdict()


def test_what_two_found_and_parts_fewer_neighbours():
    place, why = asked([*voices(THIRD, "d"), *voices(OTHER)])
    assert place == 2
    assert why.startswith("found by a and b, it parts 50% of the near neighbours")
    assert "columns as they are" in why


def test_the_weakest_border_of_those_found_twice():
    assert asked(voices(OTHER, "aab"), borders=[0.1, 0.05, 0.1])[0] == 2
    assert asked(voices(OTHER, "aab"), borders=[0.0, 0.0, 0.0], scores=[3.8, 4, 3.9])[0] == 2


def test_a_further_source_makes_up_for_a_border_that_is_a_little_stronger():
    proposals = [*voices(OTHER, "abc"), *voices(THIRD, "dd")]
    stronger = asked(voices(OTHER, "abcd"), borders=[1.1 * STRONG] * 4)
    assert "it parts about as many near neighbours as the other answer" in stronger[1]
    assert asked(proposals, borders=[0.1, 0.1, 0.1, 0.095, 0.095])[0] == 1
    assert asked(proposals, borders=[0.1, 0.1, 0.1, 0.06, 0.06])[0] == 4


def test_an_answer_that_most_sources_say_too_stands():
    borders = [0.2, 0.2, 0.05, 0.05]
    assert asked([*voices(SEARCHED, "ab"), *voices(OTHER, "dd")], borders=borders) is None
    assert asked([*voices(SEARCHED, "ab"), *voices(OTHER, "de")], borders=borders)[0] == 3


def test_what_the_search_found_in_three_spaces():
    assert asked([], spaces="abc")[0] == 1
    assert asked([], spaces="aab") is None


@pytest.mark.parametrize(
    "how",
    [
        {"proposals": voices(OTHER, "a")},
        {"proposals": voices(OTHER), "borders": [0.19, 0.19]},
        {"proposals": voices(OTHER), "searched": LOW},
        {"proposals": voices(OTHER), "mixture": True},
        {"proposals": voices(OTHER), "scores": [2.2, 2.2]},
        {"proposals": voices(OTHER), "searched": 5.0, "scores": [3.3, 3.3]},
        {"proposals": voices(SEARCHED)},
        {"proposals": []},
    ],
    ids=["once", "border", "low", "mixture", "not predictable", "a flag", "same", "none"],
)
def test_what_is_not_enough(how):
    assert asked(**how) is None


def test_sources_that_agree_with_the_search_and_predict_themselves_better():
    assert asked(voices(SEARCHED), scores=[4.1, 4.0])[0] == 1


def test_a_clean_gap_is_believed_whatever_the_search_says():
    sure = Proposal(OTHER, "d", "", "because of a gap", gap=True)
    assert asked([sure], searched=LOW) == (1, "because of a gap")
    assert asked([sure], mixture=True) == (1, "because of a gap")
    assert asked([Proposal(SEARCHED, "d", "", "because of a gap", gap=True)]) is None


def test_a_few_rows_behind_a_gap_are_believed_first():
    few = Proposal(OTHER, "d", "", "because of a gap", gap=True, few=True)
    assert asked([*voices(THIRD), few])[1] == "because of a gap"
    assert asked([few], scores=[LOW]) == (1, "because of a gap")


@pytest.mark.parametrize(
    ("own_border", "score", "believed"),
    [(0.0, HIGH, False), (STRONG, HIGH, True), (0.0, 5.1, True)],
)
def test_an_answer_with_gaps_of_its_own_stands(own_border, score, believed):
    """Neither a few rows behind a gap replace it, nor peaks, unless they predict better."""
    few = Proposal(OTHER, "d", "", "because of a gap", gap=True, few=True)
    for proposals in [few], [Proposal(OTHER, "a", "12", "because of peaks")]:
        verdict = CandidateAgreement(
            *(["x"], proposals, np.array([5.0, score]), pairwise_agreement([SEARCHED, OTHER])),
            *(np.array([own_border, 0.0]), 0, False),
        ).verdict()
        assert (verdict is not None) == believed


def test_a_mixture_gives_way_to_gaps_that_several_found():
    clear = {"scores": [4.1, 4.1], "borders": [0.005, 0.005], "mixture": True}
    assert asked(voices(OTHER), **clear)[0] == 1
    assert asked(voices(OTHER), **clear | {"borders": [0.01, 0.01]}) is None
    assert asked(voices(OTHER), **clear | {"scores": [HIGH, HIGH]}) is None
    assert asked(voices(OTHER, "aa"), **clear) is None


def test_a_source_that_is_sure_must_say_the_same_in_all_settings():
    sure = Proposal(OTHER, "a", "12", "because of peaks")
    assert asked([sure, *voices(OTHER, "a", "")], borders=[1.0, 1.0]) == (1, "because of peaks")
    assert asked([sure, *voices(THIRD, "a", "")]) is None
    assert asked([sure], searched=LOW) is None


def test_what_was_found_once_must_predict_itself_better():
    once = [Proposal(OTHER, "a", "b")]
    place, why = asked(once, searched=2.5, scores=[2.6], borders=[0.09])
    assert place == 1
    assert why.startswith("found by a (b), it predicts itself better")
    assert "parts 45% of the near neighbours that" in why
    assert asked(once, searched=2.5, scores=[2.6], borders=[0.11]) is None
    assert asked(once, searched=2.5, scores=[2.51], borders=[0.09]) is None
    assert asked(once, searched=LOW, scores=[2.0], borders=[0.09]) is None


def test_the_loudest_is_heard_in_its_own_columns():
    proposals = [*voices(THIRD, "ab"), *voices(OTHER, "abc"), *voices(OTHER, "d", "")]
    agreement = pairwise_agreement([SEARCHED, *(p.labels for p in proposals)])
    assert loudest(proposals, agreement) == 2
    assert loudest(voices(OTHER, "aa"), agreement[:2, :2]) is None


@pytest.mark.parametrize("seed", [1, 4, 5])
def test_a_cut_through_the_larger_moon_is_not_believed(seed):
    """Three sources agree on it, but they look at one tree."""
    X, y = make_moons((320, 60), noise=0.1, random_state=seed)
    model = MaxMarginClustering(2, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.95
