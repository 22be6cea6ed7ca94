"""Danger in a text: the table of signs, and a reader that learned from messages."""
