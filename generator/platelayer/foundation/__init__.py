"""What every layer may use: units, problems, texts in languages, the place of shipped files."""
