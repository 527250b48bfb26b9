"""The front door: everything is chosen, a file for each step.

``max_margin_clustering.py``
    The estimator: prepare → subsample → candidates → judge and choose → fit the partition →
    carry over to all rows.
``candidates.py``, ``choice.py``, ``partition.py`` (and the subsample), ``transfer.py``
    These steps.
``number.py``
    The number of clusters, where it is not given.
``effort.py``
    How hard to look.
``unsupervised_search.py``
    A grid search for clusterers, ``UnsupervisedSearch``.
"""
