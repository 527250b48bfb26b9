"""What runs a study: its rows, the tables written from them, and the machine they are of."""
