"""The systems of an evaluation, one file each; `intents` and `diagnosis` say which take part."""
