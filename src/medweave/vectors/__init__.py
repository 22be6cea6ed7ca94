"""Vectors in memory: matrices, and the nearest rows of them."""
