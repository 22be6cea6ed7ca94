"""How fast and how large medweave is, beside its peers: `make bench`."""
