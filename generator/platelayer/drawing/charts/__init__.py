"""Upgrade charts, checklists and the catalogue."""
