"""JSON text in, schema check and model out."""
