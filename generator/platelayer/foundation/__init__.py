"""Tools for every layer: units, problems, texts in several languages, shipped files."""
