"""What is kept or printed on paper: one HTML page each."""
