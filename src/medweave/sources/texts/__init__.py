"""Texts as people have them, parted into passages; `kind.py` registers the kind."""
