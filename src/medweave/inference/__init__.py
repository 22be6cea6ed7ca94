"""Step 3 of asking: what follows, and what stops."""
