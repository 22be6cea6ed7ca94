"""Texts to vectors: a model on this machine, or an endpoint; what is known is not made again."""
