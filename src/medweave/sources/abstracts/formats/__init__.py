"""Files of abstracts, each layout as rows with an id, a title and an abstract."""
