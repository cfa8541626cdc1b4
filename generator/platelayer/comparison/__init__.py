"""Two definitions compared: the facts that differ, in words and on paper."""
