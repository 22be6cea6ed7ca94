"""Step 2 of building: records become statements with evidence."""
