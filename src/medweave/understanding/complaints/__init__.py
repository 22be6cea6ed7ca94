"""Which disease the whole of a complaint is told like."""
