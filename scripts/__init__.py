"""What makes files that ship, and measures; no part of the package."""
