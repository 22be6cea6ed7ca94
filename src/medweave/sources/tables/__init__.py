"""Tables beside a source: files that say what its keys mean, and nothing by themselves."""
