"""The free text of a case as findings of a guideline."""
