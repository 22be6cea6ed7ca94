"""Vectors of a base in Weaviate, and its things for who looks at them there."""
