"""Step 1 of asking: a text becomes a question."""
