"""What is measured, one kind of measure a file, and the intervals."""
