"""How people meet medweave: the command line, a terminal, a page, and the words of all of them."""
