"""A short run of the harness; ``make fuzz`` runs it for as long as is wanted."""

import numpy as np
import pytest
from fuzz.cases import Case, Foreign, cases, check_refusal, run
from fuzz.harness import ROUND, Tally, round_of, run_for
from fuzz.invariants import CHEAP, DEAR
from fuzz.limits import Hang
from fuzz.model_files import mutations, run_mutation
from fuzz.one_by_one import try_all
from fuzz.parameters import ESTIMATORS, HARD
from fuzz.rows import Rows
from fuzz.tables import run_table, tables
from hypothesis import strategies as st

from maxmargin import RLSClustering

#: Cases of each kind in ``make test``: all of them take less than a minute.
FEW = 40


def outcomes(drawn, run_one, size=FEW):
    found = []
    round_of(0, drawn, lambda case: found.append(run_one(case)), size)
    return found


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_fit_keeps_what_is_promised_or_refuses(estimator):
    assert {"answered", "refused"} <= set(outcomes(cases(estimator, DEAR), run))


@pytest.mark.parametrize(
    "case",
    [
        Case(
            "MultipleKernelClustering",
            {
                "n_clusters": 3,
                "n_init": 1,
                "optimizer": "mkc",
                "kernels": ["poly"],
                "init_size": 12,
            },
            Rows("equal", 14, storage="rows of the user"),
        ),
        Case("SDPClustering", {"kernel": "poly", "gamma": 0.1}, Rows("blobs", 22, scale="1e300")),
    ],
    ids=["all rows of blocks as landmarks", "sums that overflow"],
)
def test_cases_that_failed_once(case):
    assert run(case) in ("answered", "refused")


def test_odd_values_are_answered_or_refused():
    tally = try_all(HARD)
    assert not tally.failures, "\n".join(tally.lines())
    assert tally.outcomes["arguments", "refused"] > 40


def test_the_command_answers_or_refuses():
    assert {"answered", "refused"} <= set(outcomes(tables(), run_table))


def test_a_changed_model_file_is_read_or_refused():
    assert "refused" in outcomes(mutations(), run_mutation, 3 * FEW)


# -- the harness itself: what it must notice ----------------------------------------------


class Odd(RLSClustering):
    """An estimator that breaks a promise."""

    def fit(self, X, y=None):
        super().fit(X, y)
        self.labels_ = self.labels_[::-1].copy()
        return self


def test_what_is_broken_is_noticed(monkeypatch):
    monkeypatch.setitem(ESTIMATORS, "Odd", Odd)
    tally = Tally()
    tally.add("odd", Case("Odd", {"n_clusters": 3, "random_state": 0}, Rows()), run)
    assert tally.outcomes["odd", "failed"] == 1
    assert "predict_says_the_labels" in next(iter(tally.failures))
    assert tally.lines()[-1] == "1 cases, 1 kinds of failures"


def test_processes_share_the_rounds_and_what_they_found_is_added_up():
    def tried(first, step):
        drawn = []
        kinds = {"numbers": (st.integers(), lambda number: drawn.append(number) or "answered")}
        tally = run_for(60, kinds, first, step, most=2 * ROUND)
        return tally, drawn

    (alone, drawn), (one, odd), (two, even) = tried(0, 1), tried(0, 2), tried(1, 2)
    assert drawn == odd[:ROUND] + even[:ROUND]
    assert alone.outcomes["numbers", "answered"] == 2 * ROUND
    one.failures, two.failures = {"a": ["x"]}, {"a": ["y"], "b": ["z"]}
    assert (one + two).failures == {"a": ["x", "y"], "b": ["z"]}
    assert (one + two).outcomes.total() == 4 * ROUND


def test_foreign_errors_are_noticed():
    model = RLSClustering()
    with pytest.raises(ValueError) as error:
        np.linalg.cholesky(-np.eye(2)) if False else np.zeros(3).reshape(2, 2)
    with pytest.raises(Foreign):
        check_refusal(error.value, model)


def test_a_hang_is_noticed(monkeypatch):
    from fuzz import limits

    monkeypatch.setattr(limits, "CPU_SECONDS", 0.05)
    with pytest.raises(Hang), limits.no_hang():
        while True:
            pass


def test_a_case_is_what_its_repr_says():
    case = Case("RLSClustering", {"n_clusters": 2}, Rows("moons", 9, type="int8"), "partial")
    assert eval(repr(case), {"Case": Case, "Rows": Rows}) == case


def test_the_list_of_invariants_is_long():
    assert len(CHEAP) >= 8
    assert len(DEAR) >= 9
