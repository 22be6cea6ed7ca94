"""Practical advice: texts on what a question names, ranked by how likely each answers it."""
