"""Model in, problems out: one file a subject, one function a rule."""
