"""The studio: a title in the browser while it is written."""
