"""Sentences on the fairness of a map: what other maps have, each home, and bids for it."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from platelayer.atlas.measures import NONE, HomeMeasures
from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.model.map_tiles import HAND, AtlasLog
from platelayer.model.title import Title

words = FixedWords("atlas").table

# The president's certificate, and the step of bids. Source: rulebook, sections 2 and 7.
PRESIDENT_PERCENT, BID_STEP = 40, 5
# Fairness that one, two ... nine of ten maps of Railways of the Lost Atlas do not reach, by mode
# and policy: surveys with seed 1 (docs/atlas-measures.md says how many maps).
DECILES: dict[tuple[str, str], tuple[float, ...]] = {
    ("long", "uniform"): (87.1, 88.6, 89.7, 90.6, 91.4, 92.1, 92.8, 93.6, 94.6),
    ("long", "compact"): (88.4, 89.8, 90.8, 91.6, 92.3, 93.0, 93.6, 94.3, 95.2),
    ("long", "best"): (89.7, 90.8, 91.7, 92.4, 93.0, 93.6, 94.1, 94.8, 95.5),
    ("long", "even"): (86.3, 88.2, 89.4, 90.3, 91.1, 91.8, 92.7, 93.5, 94.5),
    ("short", "uniform"): (88.9, 90.4, 91.4, 92.3, 93.0, 93.7, 94.4, 95.1, 96.0),
    ("short", "compact"): (90.1, 91.5, 92.4, 93.2, 93.8, 94.4, 95.0, 95.6, 96.4),
    ("short", "best"): (91.3, 92.5, 93.2, 93.8, 94.4, 94.9, 95.3, 95.9, 96.6),
    ("short", "even"): (88.4, 90.4, 91.4, 92.3, 93.0, 93.6, 94.4, 95.2, 96.1),
    ("micro3", "uniform"): (88.8, 91.1, 92.5, 93.4, 94.3, 95.0, 95.6, 96.4, 97.2),
    ("micro3", "compact"): (90.9, 92.6, 93.6, 94.4, 95.0, 95.6, 96.2, 96.8, 97.6),
    ("micro3", "best"): (91.6, 93.2, 94.1, 94.8, 95.4, 95.9, 96.5, 97.1, 97.7),
    ("micro3", "even"): (88.1, 90.5, 91.9, 92.9, 93.8, 94.5, 95.2, 95.9, 96.8),
    ("micro2", "uniform"): (89.8, 92.6, 94.1, 95.1, 95.9, 96.6, 97.2, 97.9, 98.6),
    ("micro2", "compact"): (91.7, 93.8, 94.9, 95.7, 96.4, 97.0, 97.5, 98.1, 98.7),
    ("micro2", "best"): (92.7, 94.4, 95.5, 96.2, 96.8, 97.3, 97.9, 98.4, 98.9),
    ("micro2", "even"): (89.4, 92.1, 93.6, 94.5, 95.4, 96.1, 96.7, 97.4, 98.3),
}


def compared(log: AtlasLog, fairness: float, tongue: Tongue) -> str:
    """Return a sentence on the share of maps that are less fair; "" for modes of other titles. A
    map laid by hand is compared with compact ones."""
    policy = "compact" if log.policy == HAND else log.policy
    deciles = DECILES.get((log.mode, policy))
    if deciles is None:
        return ""
    return tongue.say(words("judgement_words")["compared"], 10 * bisect_left(deciles, fairness))


def judged(title: Title, homes: Mapping[str, HomeMeasures], tongue: Tongue) -> Iterator[str]:
    """Yield a sentence on each home, the one that is worth most first: its worth beside the mean,
    why, and what to bid."""
    box = title.atlas
    assert box is not None, "a map is of a title with map tiles"
    table = words("judgement_words")

    def say(key: str, *parts: object) -> str:
        return tongue.say(table[key], *parts)

    powers = (
        ("with_stops", dict(box.extra_stops)),
        ("with_suburbs", dict(box.suburbs)),
        ("with_bridges", dict.fromkeys(box.bridging, 1)),
    )
    mean = round(math.fsum(home.worth for home in homes.values()) / max(1, len(homes)))
    for company, home in sorted(homes.items(), key=lambda each: (-each[1].worth, each[0])):
        apart = home.worth - mean
        bid = round(abs(apart) * PRESIDENT_PERCENT / 100 / BID_STEP) * BID_STEP
        why = [say("near", home.city_way) if home.city_way != NONE else say("no_cities")]
        if home.paid:
            key = "mountains" if home.paid > 0 else "repaid"
            why.append(say(key, title.money(abs(home.paid))))
        why += [say(key) for key, power in powers if company in power]
        yield say(
            "home",
            tongue.say(title.company_by_id[company].name),
            title.money(home.worth),
            say("above" if apart > 0 else "below", title.money(abs(apart)))
            if apart
            else say("mean"),
            tongue.say(words("setup_words")["comma"]).join(why),
            say("more" if apart > 0 else "less", title.money(bid)) if bid else say("as_much"),
        )
