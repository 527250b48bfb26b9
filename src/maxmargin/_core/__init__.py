"""The compiled loops: they know arrays and nothing else.

``inverse``
    A symmetric positive definite matrix, inverted in place.
``moves``
    Label moves that look at all rows: claims, steepest moves, swaps.
``sweeps``
    Label moves that look at one row at a time.
``evolve``
    Generations of mutated labellings.

The quadratic form R comes in one of two shapes, ``matrix``: R itself without its
diagonal (n × n, "hollow"), or a factor Z of it (n × r, R = ZZᵀ). Without the diagonal
the scores T = RH say directly what a move is worth: moving row j from cluster a to d
changes f = Σ hᵀRh by 2(T[d, j] − T[a, j]), and T[c, j]/(1 − R_jj) is the leave-one-out
prediction for row j and cluster c.
"""
