"""The YAML form of guidelines, read and written."""
