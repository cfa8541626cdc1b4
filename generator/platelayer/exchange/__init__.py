"""Definitions from other programs, and for them: text to definitions and back, without drawing."""
