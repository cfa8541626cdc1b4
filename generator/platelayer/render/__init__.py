"""Painters: SVG, PDF and PNG files of scenes and pages."""
