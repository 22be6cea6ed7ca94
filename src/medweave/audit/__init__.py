"""The audit file: what was answered and decided, on what grounds, in a chain that shows changes."""
