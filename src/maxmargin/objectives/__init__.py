"""What a labelling is worth.

``rls.py``
    The quadratic form R of regularised least squares, and the model it stands for.
``path.py``
    The same form for many strengths of the regularisation at the price of one.
``leave_one_out.py``
    The error of rows that are left out: comparable between spaces and sizes.
``classifier.py``
    The model that a labelling leaves behind: it predicts new rows.
``labelling.py``
    A labelling that can be changed by one move and asked for its value.
"""
