"""Scenes and pages in, SVG, PDF and PNG bytes out."""
