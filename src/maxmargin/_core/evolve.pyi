from numpy import float32, float64, int32, intp
from numpy.typing import NDArray

class Population:
    def __init__(
        self,
        labels: NDArray[int32],
        counts: NDArray[intp],
        mass: NDArray[intp],
        states: NDArray[float64],
        fitness: NDArray[float64],
        diagonal: NDArray[float64],
        n_parents: int,
        n_children: int,
        rows: NDArray[intp],
        lower: NDArray[intp],
        upper: NDArray[intp],
        seed: int,
    ) -> None: ...
    @property
    def best_labels(self) -> NDArray[int32]: ...
    @property
    def best_fitness(self) -> float: ...
    @property
    def generation(self) -> int: ...
    @property
    def quiet(self) -> int: ...
    @property
    def tests(self) -> int: ...
    def run(
        self,
        matrix: NDArray[float32] | NDArray[float64],
        factored: bool,
        patience: int,
        max_generations: int,
    ) -> None: ...
