"""Companies' pieces."""
