"""Ruby data files, read as syntax trees: nothing in them is ever run."""
