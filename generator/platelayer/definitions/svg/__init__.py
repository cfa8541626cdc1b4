"""Pictures in SVG."""
