"""Importers of smaller programs. Each turns its files into the data of a game of 18xx.games."""
