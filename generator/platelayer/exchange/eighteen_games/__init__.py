"""Definitions from the data of a game of 18xx.games."""
