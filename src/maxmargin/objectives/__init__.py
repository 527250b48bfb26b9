"""What a labelling is worth.

``spectrum.py``
    The quadratic form of least squares for many strengths at the price of one.
``leave_one_out.py``
    The error of rows that are left out: comparable between spaces and sizes.
``classifier.py``
    The model that a labelling leaves behind: it predicts new rows.
``labelling.py``
    A labelling that can be changed by one move and asked for its value.
``hinge.py``
    The multi-class hinge loss of hyperplanes, and their penalty over one kernel or several.
"""
