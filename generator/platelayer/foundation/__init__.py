"""What every layer may use: units, problems, texts in several languages, shipped files."""
