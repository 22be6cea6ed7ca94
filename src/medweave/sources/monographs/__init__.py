"""Monographs: one record about one disease, drug or other thing."""
