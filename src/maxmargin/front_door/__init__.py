"""One floor above the estimators: what chooses among spaces, searches and parameters.

``max_margin_clustering.py``
    The front door, ``MaxMarginClustering``.
``effort.py``
    How hard it looks.
``scene.py``
    The rows of a fit, and those among them that are looked at.
``choice.py``
    Which candidate it takes, and why.
``number.py``
    The number of clusters, where it is not given.
``answer.py``
    A labelling with the model that it leaves.
``transfer.py``
    From the rows that were looked at to all rows.
``tables.py``
    What a fit tells about itself.
``unsupervised_search.py``
    A grid search for clusterers, ``UnsupervisedSearch``.
"""
