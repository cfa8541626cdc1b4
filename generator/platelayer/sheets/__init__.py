"""Pieces in, pages out: paper, imposition, marks."""
