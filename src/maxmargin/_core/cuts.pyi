from numpy import float32, float64, floating, int16, integer, intp
from numpy.typing import NDArray

def rank_rows(
    scores: NDArray[floating],
    offsets: NDArray[float64],
    held: NDArray[int16],
    labels: NDArray[int16],
    rivals: NDArray[int16],
    weights: NDArray[float64],
    counts: NDArray[intp],
) -> float: ...
def label_losses(
    scores: NDArray[floating], offsets: NDArray[float64], losses: NDArray[float32]
) -> None: ...
def sum_cut(
    values: NDArray[floating],
    ends: NDArray[integer],
    columns: NDArray[integer],
    width: int,
    labels: NDArray[int16],
    rivals: NDArray[int16],
    weights: NDArray[float64],
    gradient: NDArray[float64],
    counts: NDArray[float64],
) -> float: ...
def add_centred(
    out: NDArray[float64],
    sums: NDArray[float64],
    counts: NDArray[float64],
    mean: NDArray[float64],
    factor: NDArray[float64],
) -> None: ...
def relink_cuts(
    values: NDArray[floating],
    ends: NDArray[integer],
    columns: NDArray[integer],
    width: int,
    moved: NDArray[intp],
    old: NDArray[int16],
    new: NDArray[int16],
    rivals: NDArray[int16],
    swap: bool,
    weights: NDArray[float64],
    gradients: NDArray[float64],
    counts: NDArray[float64],
    active: NDArray[float64],
) -> None: ...
