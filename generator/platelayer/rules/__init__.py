"""Rules: one file per subject, one function per rule."""
