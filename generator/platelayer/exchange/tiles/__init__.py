"""Tiles and hexes in the language of 18xx.games, and as definitions."""
