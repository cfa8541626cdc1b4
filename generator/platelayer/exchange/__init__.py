"""Definitions from and for other programs: text to definitions and back, without drawing."""
