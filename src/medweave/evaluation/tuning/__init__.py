"""Choosing settings by measuring."""
