"""Frozen values that describe a game: hexes, tiles, maps, companies, markets, trains, phases,
pieces. No I/O."""
