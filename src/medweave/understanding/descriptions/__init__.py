"""What somebody has, takes or does not bear, told by description and not by its name."""
