"""Ruby data files read as syntax: nothing in them is ever run."""
