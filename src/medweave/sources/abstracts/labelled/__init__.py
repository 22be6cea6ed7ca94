"""Documents that somebody labelled: what they name, and how that is related."""
