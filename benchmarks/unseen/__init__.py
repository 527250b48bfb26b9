"""Draws that no constant was chosen on: fresh generators, and random classes of real sets."""
