"""One process for each system that is measured; each answers the same few requests."""
