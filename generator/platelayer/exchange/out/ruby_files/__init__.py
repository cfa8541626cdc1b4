"""Titles as the data files of a game of 18xx.games."""
