"""What a fitted clustering looks like in numbers: what pictures and reports are made of."""
