"""Past dialogues like a message, and the weighted graph they stand in."""
