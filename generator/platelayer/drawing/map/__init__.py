"""Maps with everything on them."""
