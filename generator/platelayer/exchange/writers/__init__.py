"""Titles and pieces in the formats of other programs."""
