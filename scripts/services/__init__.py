"""Real servers for the tests of stores: fetched, started on this machine alone, and stopped."""
