"""Model in, scenes out: one module per kind of piece."""
