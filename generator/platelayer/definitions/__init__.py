"""Definitions: from JSON text to the model."""
