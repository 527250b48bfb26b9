"""When a proposal replaces what the search chose."""

import numpy as np
import pytest

from maxmargin.front_door.choice import pairwise_agreement
from maxmargin.front_door.sources.agreement import verdict
from maxmargin.front_door.sources.source import Proposal

SEARCHED = np.repeat([0, 1], [20, 20])
OTHER = np.tile([0, 1], 20)
THIRD = np.repeat([0, 1, 0, 1], 10)
SATURATED, LOW = 4.0, 1.0  # scores: R² of .98 and .63


def voices(labels, sources="abc", columns="raw"):
    return [Proposal(labels, source, "", columns=columns) for source in sources]


def asked(proposals, searched=SATURATED, scores=None, mixture=False):
    labels = [SEARCHED, *(p.labels for p in proposals)]
    scores = [searched] * len(proposals) if scores is None else scores
    return verdict(proposals, np.array([searched, *scores]), pairwise_agreement(labels), 0, mixture)


def test_three_sources_that_agree():
    place, why = asked([*voices(THIRD, "d"), *voices(OTHER)])
    assert place == 1
    assert why.startswith("a, b and c, which look at the rows in different ways, agree on it")
    assert "columns as they are" in why


def test_the_best_of_those_that_agree():
    assert asked(voices(OTHER), scores=[3.9, 4.0, 3.8])[0] == 1


@pytest.mark.parametrize(
    "how",
    [
        {"proposals": voices(OTHER, "ab")},
        {"proposals": voices(OTHER, "aaab")},
        {"proposals": [*voices(OTHER, "ab"), *voices(OTHER, "c", "standardised")]},
        {"proposals": voices(OTHER), "searched": LOW},
        {"proposals": voices(OTHER), "mixture": True},
        {"proposals": voices(OTHER), "scores": [2.2, 2.2, 2.2]},
        {"proposals": []},
    ],
    ids=["two", "one twice", "columns", "not saturated", "mixture", "a flag", "none"],
)
def test_what_is_not_enough(how):
    assert asked(**how) is None


def test_sources_that_agree_with_the_search_change_nothing():
    sure = Proposal(OTHER, "d", "", "because of a gap", gap=True, columns="raw")
    assert asked([*voices(SEARCHED), sure]) == (-1, "")


def test_a_clean_gap_is_believed_whatever_the_search_says():
    sure = Proposal(OTHER, "d", "", "because of a gap", gap=True)
    assert asked([sure], searched=LOW) == (0, "because of a gap")
    assert asked([sure], mixture=True) == (0, "because of a gap")


def test_a_source_that_is_sure_must_say_the_same_in_all_settings():
    sure = Proposal(OTHER, "a", "12", "because of peaks")
    assert asked([sure, *voices(OTHER, "a", "")]) == (0, "because of peaks")
    assert asked([sure, *voices(THIRD, "a", "")]) is None
    assert asked([sure], searched=LOW) is None


def test_a_proposal_that_predicts_itself_better():
    place, why = asked([Proposal(OTHER, "a", "b")], searched=2.5, scores=[2.6])
    assert place == 0
    assert why.startswith("found by a (b), it predicts itself better")
    assert asked([Proposal(OTHER, "a", "b")], searched=2.5, scores=[2.51]) is None
    assert asked([Proposal(OTHER, "a", "b")], searched=LOW, scores=[2.0]) is None
