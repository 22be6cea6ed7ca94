"""Files of every format as rows: what a row means is for the kinds of sources to say."""
