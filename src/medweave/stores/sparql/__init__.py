"""Bases and foreign graphs in SPARQL: on a server, or on disk."""
