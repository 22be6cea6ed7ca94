"""Dialogues: what patients and doctors said, as trees of sections."""
