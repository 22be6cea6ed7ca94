"""Step 4 of asking: sentences that rest on evidence."""
