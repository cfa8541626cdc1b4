"""Every stage in order: a definition in, files out."""
