"""Imposition: paper, layouts, pages and marks."""
