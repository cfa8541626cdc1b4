"""Platelayer: definitions of 18xx railway games in, print-ready paper parts out."""

__version__ = "0.1.0"
