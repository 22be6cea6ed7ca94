"""Questions as graphs: triple queries, steps, and the statements around them."""
