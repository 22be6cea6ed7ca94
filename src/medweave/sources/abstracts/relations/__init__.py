"""Which of the things that an abstract names stand in which relation."""
