import sys
from types import ModuleType

import pytest

from benchmarks.runner.ablation import leave_out, set_constant


class One:
    pass


class Two:
    pass


@pytest.fixture
def module(monkeypatch):
    module = ModuleType("some_sources")
    module.SOURCES, module.WEIGHT = (One(), Two()), 0.5
    monkeypatch.setitem(sys.modules, "some_sources", module)
    return module


def test_a_source_is_left_out(module):
    leave_out("One", "some_sources:SOURCES")
    assert [type(source) for source in module.SOURCES] == [Two]
    with pytest.raises(LookupError, match="no source 'One'; there are Two"):
        leave_out("One", "some_sources:SOURCES")


def test_a_constant_is_changed(module):
    set_constant("some_sources:WEIGHT=(1, 0.25)")
    assert module.WEIGHT == (1, 0.25)
    with pytest.raises(LookupError, match="no constant 'HEIGHT'"):
        set_constant("some_sources:HEIGHT=1")
