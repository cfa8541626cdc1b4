"""Maps in play: positions, and how far the tiles of the box go."""
