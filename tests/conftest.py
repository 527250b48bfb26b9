"""Fixtures that every test may use."""

import os
import signal
import sys
from functools import partial

import hypothesis
import numpy as np
import pytest
from browsing import chromium

# A machine that is busy makes no test fail.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")


def pytest_generate_tests(metafunc):
    """Run tests that ask for ``global_random_seed`` with the seeds of MAXMARGIN_TESTS_SEED.

    One seed by default ("42"); a range such as "0-9" or "all" (0-99) finds tests that pass by
    luck.
    """
    if "global_random_seed" in metafunc.fixturenames:
        wanted = os.environ.get("MAXMARGIN_TESTS_SEED", "42")
        if wanted == "all":
            wanted = "0-99"
        first, _, last = wanted.partition("-")
        seeds = range(int(first), int(last or first) + 1)
        metafunc.parametrize("global_random_seed", seeds)


@pytest.fixture(autouse=True)
def closed_figures():
    """No test leaves figures open: many of them make pyplot warn in another test."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A real browser; tests that take it are skipped where there is none."""
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def rng(global_random_seed):
    return np.random.default_rng(global_random_seed)


@pytest.fixture
def stopped():
    """As in a thread of a fit that is to end."""
    from maxmargin._core.interrupts import STOP

    token = STOP.set(np.ones(1, np.int32))
    yield
    STOP.reset(token)


@pytest.fixture
def ctrl_c():
    """Press Ctrl-C, now or in the middle of something: where SIGINT is ignored (nohup), too."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield partial(os.kill, os.getpid(), signal.SIGINT)
    signal.signal(signal.SIGINT, before)


@pytest.fixture(params=["hollow", "factor"])
def form(request, rng):
    """A quadratic form of 60 rows in both of its shapes, float64."""
    from oracles import forms

    return forms.random_form(rng, n=60, factored=request.param == "factor")
