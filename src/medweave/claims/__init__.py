"""The claim gate: what a text says, held against what a base has."""
