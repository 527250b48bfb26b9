"""A fitted clustering in numbers: pictures and reports are made of them."""
