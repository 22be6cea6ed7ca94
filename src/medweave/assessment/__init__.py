"""A guided assessment: what happened, in order, and what follows from it."""
