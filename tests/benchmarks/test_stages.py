"""The stages of a fit are functions that exist, and what they take adds up."""

from sklearn.datasets import make_blobs

from benchmarks.runner.stages import timed_stages
from benchmarks.studies.speed_front_door.stages import STAGES
from maxmargin import MaxMarginClustering
from maxmargin.front_door import choice


def test_all_stages_of_the_front_door_are_seen():
    X, _ = make_blobs(120, centers=3, random_state=0)
    before = choice.rank
    with timed_stages(STAGES) as spent:
        model = MaxMarginClustering(effort="fast", random_state=0).fit(X)
    assert model.n_clusters_ == 3
    assert set(spent) == set(STAGES)
    assert min(spent.values()) >= 0
    assert choice.rank is before
