"""Maps, with all that lies on them."""
