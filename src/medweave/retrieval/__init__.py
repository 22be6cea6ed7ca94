"""Step 2 of asking: what a base holds that bears on the question."""
