"""The second phase of support vector clustering: which rows belong together in a domain.

``segments.py``
    How low the domain's height falls on the way from one point to another.
``graph.py``
    The pieces of the domain, along the edges of a graph of neighbours.
``merge_tree.py``
    How these pieces merge as the level falls, and which of them stand out.
``equilibria.py``
    The peaks that points climb to: Algorithm 2 of SGD-LMSVC.
``nearest.py``
    The rows that are left, and new ones: the cluster of the nearest row.
"""
