"""Titles for other programs and other tables."""
