"""Backs of pieces."""
