"""Definitions from the game files of 18xx-maker."""
