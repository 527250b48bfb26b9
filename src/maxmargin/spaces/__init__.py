"""Spaces: rows as objectives see them, one file for each kind.

``space.py``
    What a space is: fit to rows; features or the quadratic form for objectives; the
    representation of new rows; the memory that it needs.
``exact.py``, ``features.py``, ``nystroem.py``
    A kernel itself; rows that are their own features; a kernel as features on landmarks.
``several.py``, ``transformer.py``, ``kernel_list.py``
    Several spaces side by side; the output of a transformer; what a user writes in ``kernels=``.
``kernel.py``, ``psd.py``
    Kernel functions and the rules that choose their width; matrices that are no kernel.
``gaussian.py``
    The Gaussian kernel at any width, row by row: distances are computed once.
``quadratic_form.py``
    R of regularised least squares, and the model it stands for.
``metric.py``
    How rows are compared, and the one Gaussian of their distances.
``neighbors.py``, ``pairwise.py``
    The nearest rows, and graphs of them as a space; all distances, and Gaussian spaces on them.
"""
