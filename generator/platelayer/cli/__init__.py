"""Commands in, printed reports and exit codes out."""
