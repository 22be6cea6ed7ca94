"""The tasks of `medweave evaluate`, one file each, which ends in its registration."""
