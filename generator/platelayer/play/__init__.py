"""Maps in play: positions, and the supply and reach of the tiles in the box."""
