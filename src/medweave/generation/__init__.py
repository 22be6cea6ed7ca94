"""What a language model adds to an answer by rule: words that are checked, and more to find."""
