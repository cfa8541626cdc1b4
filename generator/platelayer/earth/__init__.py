"""Maps of real places: coasts, lakes, rivers, lands and cities of a part of the earth as a board."""
