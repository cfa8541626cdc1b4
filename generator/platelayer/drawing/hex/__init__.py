"""Tiles and hexes."""
