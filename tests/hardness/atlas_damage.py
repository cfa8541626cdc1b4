"""A seed in, one damaged log of a map out: the same seed, the same damage."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

from damage import (
    _WILD,
    Damage,
    Random,
    _damage_bytes,
    _damage_folder,
    _damage_value,
    _small_number,
    _spots,
)

from platelayer.atlas.assemble import assemble
from platelayer.atlas.log import log_text
from platelayer.atlas.measures import measure
from platelayer.definitions.map_tiles import shipped_box
from platelayer.model.map_tiles import AtlasLog

LOG = "atlas.json"
MODES = ("long", "short", "micro3", "micro2")


@cache
def sound_log(number: int) -> tuple[AtlasLog, bytes]:
    """One of some logs: each mode, with and without a limit of blanks, with and without measures,
    typed in or not."""
    box, mode = shipped_box(), MODES[number % 4]
    log = assemble(box, mode, seed=number, blanks=3 if number % 8 > 3 else None)
    value = json.loads(log_text(log))
    if number % 3:
        value["metrics"] = measure(box, log)
    if number % 5 == 0:
        del value["algorithm"]
    return log, json.dumps(value, indent=1).encode()


@cache
def _values() -> dict[str, list[Any]]:
    """What stands under each key in all of the logs."""
    found: dict[str, list[Any]] = {}
    for number in range(8):
        for container, key in _spots(json.loads(sound_log(number)[1])):
            if isinstance(container, dict):
                found.setdefault(key, []).append(container[key])
    return found


def _as_elsewhere(rng: Random, _kind: str, container: Any, key: Any, _whole: Any) -> str:
    """A value that stands under the same key elsewhere; a coordinate moves a little."""
    if isinstance(container, dict):
        container[key] = json.loads(json.dumps(rng.choice(_values()[key])))
    elif isinstance(container[key], int):
        container[key] += rng.choice((-2, -1, 1, 2))
    else:
        container.insert(rng.randrange(len(container) + 1), container.pop(key))
    return f"{key} as elsewhere"


def _two_change_places(rng: Random, _kind: str, _container: Any, _key: Any, whole: Any) -> str:
    """Two draws change what they drew, or all of it; the numbers stay in order."""
    draws = whole.get("draws", ())
    if (
        not isinstance(draws, list)
        or len(draws) < 2
        or not all(isinstance(each, dict) for each in draws)
    ):
        return "nothing"
    one, other = rng.sample(range(len(draws)), 2)
    keys = rng.choice(
        (
            ["tile"],
            ["at"],
            ["rotation"],
            ["tile", "copy"],
            ["at", "rotation"],
            [*draws[one], *draws[other]],
        )
    )
    first, second = draws[one], draws[other]
    for each in dict.fromkeys(keys):
        if each != "draw" and each in first and each in second:
            first[each], second[each] = second[each], first[each]
    return f"draws {one + 1} and {other + 1} change {keys[0]}"


def damaged_log(seed: int) -> Damage:
    """A log with one to three pieces of damage."""
    rng = random.Random(seed)
    damage = Damage(seed=seed, kind="log", files={LOG: sound_log(rng.randrange(24))[1]}, main=LOG)
    mild = rng.random() < 0.6
    for _ in range(rng.randint(1, 3)):
        acts = (_as_elsewhere, _as_elsewhere, _two_change_places, _small_number)
        _damage_value(rng, damage, LOG, acts if mild else _WILD)
    if not mild and rng.random() < 0.3:
        _damage_bytes(rng, damage, LOG)
    if not mild and rng.random() < 0.1:
        _damage_folder(rng, damage)
    return damage
