"""What follows from a base by an ontology: rules of OWL 2 RL, or HermiT, each with its premises."""
