"""Parts that every drawing uses."""
