"""Language models: an adapter for any that speaks chat completions, and what it said once."""
