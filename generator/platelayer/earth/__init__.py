"""Maps of real places: a part of the earth as a board, with its coasts, lakes, rivers, lands and
cities."""
