"""Drawings of every kind of piece."""
