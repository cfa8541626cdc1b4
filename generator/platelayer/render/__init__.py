"""Painters of scenes and pages: SVG, PDF and PNG files."""
