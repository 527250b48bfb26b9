"""What a fit does when it is pressed, how much memory it takes, and what it sends on Dask."""

from benchmarks.runner.study import Part, Study
from benchmarks.studies.robustness import interrupts, memory

PRESSES = 170  # of each estimator: a thousand in all

TRAFFIC = (
    *("CuttingPlaneClustering", 'CuttingPlaneClustering(kernel="rbf")'),
    *("MultipleKernelClustering", "SupportVectorClustering", "MaxMarginClustering"),
)


def traffic(estimator: str) -> dict[str, float]:
    """What a fit on Dask sends and gets."""
    from benchmarks.studies.robustness.traffic import measure

    return measure(estimator)


STUDY = Study(
    "Ctrl-C at random moments, planned and measured memory, and what is sent on Dask",
    parts=(
        Part(
            "interrupts",
            {"estimator": tuple(interrupts.MODELS), "presses": (PRESSES,)},
            interrupts.press,
            quick={"estimator": ("rls",), "presses": (5,)},
            apart=True,
        ),
        Part(
            "memory",
            memory.keys,
            memory.measure,
            quick={"estimator": ("RLSClustering",), "n": (1800,)},
            apart=True,
        ),
        Part(
            "traffic", {"estimator": TRAFFIC}, traffic, quick={"estimator": TRAFFIC[:1]}, apart=True
        ),
    ),
    tables={},
    module=__name__,
)
