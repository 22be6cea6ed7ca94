"""Guidelines in and out: the YAML that clinicians read, other systems' files, the common store."""
