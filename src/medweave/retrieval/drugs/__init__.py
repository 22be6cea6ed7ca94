"""Drugs wanted for something or of a class, and what is advised of them."""
