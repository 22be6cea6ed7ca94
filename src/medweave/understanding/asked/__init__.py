"""What a question asks, learned: one label of a closed list, and how sure it is."""
