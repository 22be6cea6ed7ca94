"""Databases that medweave did not make, asked where they are: nothing is written, nothing moved."""
