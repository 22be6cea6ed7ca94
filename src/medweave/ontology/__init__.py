"""Ontologies: read, checked, compared and written."""
