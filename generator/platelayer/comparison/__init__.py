"""Compare two definitions: list the facts that differ, in words and on paper."""
