"""Step 3 of building: a base is brought up to date, and counted."""
