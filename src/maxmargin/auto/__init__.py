"""One floor above the estimators: what chooses among spaces, searches and parameters.

``max_margin_clustering.py``
    The front door, ``MaxMarginClustering``.
``effort.py``
    How hard it looks.
``choice.py``
    Which candidate it takes, and why.
``number.py``
    The number of clusters, where it is not given.
``transfer.py``
    From the rows that were looked at to all rows.
``tables.py``
    What a fit tells about itself.
``unsupervised_search.py``
    A grid search for clusterers, ``UnsupervisedSearch``.
"""
