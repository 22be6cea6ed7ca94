"""What is evaluated: the forms of files, and what ships to measure with."""
