"""What a question asks for: a trained model, and rules beside it."""
