"""Finding what an abstract names: learned from labelled documents, and made whole over a text."""
