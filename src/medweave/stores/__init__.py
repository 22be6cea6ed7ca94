"""Adapters: where a base is kept. One file each."""
