"""What a condition does in a question, learned: something is wanted for it, or somebody has it."""
