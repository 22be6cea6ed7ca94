"""Triples: one row, one relation."""
