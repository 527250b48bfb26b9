"""Semidefinite programs with known answers, by both solvers."""

import sys

import numpy as np
import pytest

from maxmargin.solvers.conic import SOLVERS, ConicProgram, matrix_of, place, vector_of


@pytest.fixture(params=sorted(SOLVERS))
def solver(request):
    pytest.importorskip(request.param)
    return request.param


def test_vectors_keep_products(rng):
    A, B = (M + M.T for M in rng.normal(size=(2, 5, 5)))
    assert vector_of(A) @ vector_of(B) == pytest.approx(np.sum(A * B))
    np.testing.assert_allclose(matrix_of(vector_of(A), 5), A)
    i, j = np.triu_indices(5)
    plain = vector_of(A) / vector_of(np.where(np.eye(5), 1.0, 1.0))
    np.testing.assert_allclose(plain[place(i, j)], A[i, j])


def test_the_largest_eigenvalue(solver, rng):
    # min t with t I − A ⪰ 0; the dual matrix is the projection on the eigenvector
    A = rng.normal(size=(6, 6))
    A = A + A.T
    program = ConicProgram(np.ones(1))
    diagonal = np.arange(6)
    program.semidefinite(6, (diagonal, diagonal, np.zeros(6, int), np.ones(6)), -A)
    found = program.solve(solver)
    values, vectors = np.linalg.eigh(A)
    assert found.solved
    assert found.objective == pytest.approx(values[-1], abs=1e-3)
    assert found.dual_objective == pytest.approx(found.objective, abs=1e-3)
    np.testing.assert_allclose(found.duals[0], np.outer(vectors[:, -1], vectors[:, -1]), atol=0.02)


def test_inequalities_and_several_matrices(solver):
    # min x + y with [[x, 1], [1, y]] ⪰ 0 has 2; with x ≥ 4 it is 4 + 1/4
    program = ConicProgram(np.ones(2))
    i, j, v = np.array([0, 1]), np.array([0, 1]), np.array([0, 1])
    program.at_most([[-1.0, 0.0]], -4.0)
    for _ in range(2):
        program.semidefinite(2, (i, j, v, np.ones(2)), np.array([[0.0, 1.0], [1.0, 0.0]]))
    found = program.solve(solver)
    np.testing.assert_allclose(found.x, [4, 0.25], atol=1e-3)
    assert found.objective == pytest.approx(4.25, abs=1e-3)


@pytest.mark.parametrize("name", sorted(SOLVERS))
def test_a_solver_that_is_missing_is_an_error_with_the_way_out(name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    message = rf"needs the package {name}: pip install 'maxmargin\[sdp\]'"
    with pytest.raises(ImportError, match=message):
        ConicProgram(np.ones(1)).solve(name)
