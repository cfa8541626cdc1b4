"""What differs between two definitions, fact by fact."""
