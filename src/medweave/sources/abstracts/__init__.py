"""Abstracts of papers and trials, in the layouts that registries and search sites write."""
