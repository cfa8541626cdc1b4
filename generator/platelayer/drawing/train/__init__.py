"""Train cards."""
