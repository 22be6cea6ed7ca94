"""Step 1 of building: sources, each read by its kind, become statements with evidence."""
