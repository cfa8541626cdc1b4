"""Random maps."""
