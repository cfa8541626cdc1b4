"""Surveys of many random maps."""
