"""Texts of other programs: Ruby files, saves, control files, tables."""
