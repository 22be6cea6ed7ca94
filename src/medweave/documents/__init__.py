"""Step 1 of building: sources are read into records."""
