"""What λ may be beside a kernel matrix, in floating point."""

import numpy as np

#: What is smaller vanishes in single precision.
LEAST_TRACE = float(np.finfo(np.float32).tiny)


def too_small(lam: float) -> ValueError:
    """The error for a matrix that λ on its diagonal does not make definite."""
    return ValueError(
        f"alpha is too small: the kernel matrix plus alpha * n = {lam:.3g} on its diagonal is "
        f"not positive definite in floating point. Use a larger alpha, or rescale X."
    )


def require_some_left(trace: float, lam: float) -> None:
    """Raise a ValueError if λ makes zeros of all that a kernel matrix with this trace says."""
    if trace > 0 and trace / lam < LEAST_TRACE:
        raise ValueError(
            f"alpha is too large: beside alpha * n = {lam:.3g} nothing is left of a kernel matrix "
            f"with the trace {trace:.3g}. Use a smaller alpha, or rescale X."
        )
