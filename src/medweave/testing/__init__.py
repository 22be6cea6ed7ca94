"""Shipped for those who write adapters: the conformance suites."""
