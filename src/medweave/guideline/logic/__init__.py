"""The logic of guidelines: compiled, evaluated in three values, and what follows from it."""
