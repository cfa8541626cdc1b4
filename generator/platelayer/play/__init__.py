"""What can lie on a map while a game is played: positions, and how far the tiles of the box go."""
