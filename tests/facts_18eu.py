"""Facts of 18EU that several tests compare with: its box, and the upgrade table of its rulebook."""

BOX = {
    "tile": 191,
    "tile/yellow": 90,
    "tile/green": 54,
    "tile/brown": 42,
    "tile/gray": 5,
    "train": 45,
    "certificate": 72,
    "charter": 23,
    "token/station": 8 * 5 + 15,
    "token/market": 8,
    "marker/mountain": 8,
    "marker/round": 1,
    "number-card": 6,
    "priority-card": 1,
    "map": 1,
    "market": 1,
    "revenue-chart": 1,
    "round-track": 1,
}
"""Counts in the manifest."""
UPGRADES = (
    (("3", "4", "58"), ("141", "142", "143", "144"), ("145", "146", "147")),
    (("57",), ("14", "15"), ("611",), ("513",)),
    (("201", "202"), ("576", "577", "578", "579"), ("582",)),
    (("580",), ("583",)),
    (("581",), ("584",)),
    (("7", "8", "9"), ("80", "81", "82", "83"), ("544", "545", "546")),
)
