"""Upgrade charts and checklists."""
