"""Whole bases as files that other programs read, and back without loss."""
