"""An evaluation as a folder for people: tables and pictures."""
