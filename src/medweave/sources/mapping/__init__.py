"""How the rows of a layout are to be read, as data."""
