"""What is computed from all evidence together."""
