"""What words mean: concepts and predicates, the lexicon, names and the things they name."""
