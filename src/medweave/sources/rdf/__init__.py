"""RDF of other people: ontologies with what they say of single things."""
