"""Guidelines: a file, an archive or a folder is one guideline, written to the graph as a whole."""
