"""Values: what the steps hand to each other. Nothing here reads or writes."""
