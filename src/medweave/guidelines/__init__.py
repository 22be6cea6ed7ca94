"""Guidelines: their sources, the form clinicians read, and the statements they become."""
