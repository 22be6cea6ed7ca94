"""Two versions of a guideline: what differs, and which cases come out otherwise."""
