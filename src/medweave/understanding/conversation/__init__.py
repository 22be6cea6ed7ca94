"""What was said before a question, and what the question is in the light of it."""
