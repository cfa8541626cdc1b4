"""Markets, tracks and sheets."""
