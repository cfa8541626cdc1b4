"""How much of recorded play imports of its games allow: prints, for each game, the upgrades that
its graph does not have and the lays that are judged impossible.

Run: PYTHONPATH=generator python benchmarks/recorded.py [GAME ...] (folders of games, such as
g_1830). Reads `recorded/positions.tar.xz` and `corpus/18xx-games` of ../shared beside the checkout,
or of PLATELAYER_SHARED. A game is imported with the optional rules of each record, and of its
variants the one counts that allows most. An upgrade is what follows another tile, or a printed hex,
from one recorded position to the next, each pair once; two within that time count, too.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from platelayer.definitions.titles import load_title
from platelayer.exchange.importers import import_title
from platelayer.exchange.losses import shown_by
from platelayer.model.position import Lay
from platelayer.model.title import Title
from platelayer.rules.graph import Spot, next_lays
from platelayer.rules.positions import judge_lay, spots_of

_SHARED = Path(os.environ.get("PLATELAYER_SHARED", Path(__file__).resolve().parents[2] / "shared"))
Record = list[dict[str, Any]]


def plain(name: str) -> str:
    """A name as folders and records both have it."""
    return re.sub("[^a-z0-9]", "", name.lower())


def records() -> Iterator[tuple[str, tuple[str, ...], Record]]:
    """Yield title, optional rules and positions of each recorded game."""
    with tarfile.open(_SHARED / "recorded" / "positions.tar.xz") as archive:
        texts = {member.name: archive.extractfile(member) for member in archive.getmembers()}
        for name, file in sorted(texts.items()):
            end = texts.get(name.removesuffix(".jsonl") + ".end.json")
            if name.endswith(".jsonl") and file is not None and end is not None:
                rules = tuple(json.load(end)["rules"])
                title = Path(name).name.partition("__")[0]
                yield plain(title), rules, [json.loads(line) for line in file]


def titles(game: Path, rules: tuple[str, ...], folder: Path) -> list[Title]:
    """The import of a game, and each of its variants."""
    import_title(game, folder, rules=rules)
    head = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    return [load_title(folder, variant=name).title for name in (None, *head.get("variants", ()))]


def refused(title: Title, record: Record) -> tuple[int, Counter[str]]:
    """Number of positions in which every lay is possible, and the lays that are not, with reasons."""
    board, verdicts = title.maps[0], dict[tuple[str, str, int], str | None]()
    here, legal, bad = spots_of(title, board), 0, Counter[str]()
    for position in record:
        for lay in ((where, *tile) for where, tile in position["tiles"].items()):
            if lay not in verdicts:
                where, tile, rotation = lay
                known = where in board.by_id and tile in title.tile_by_id
                problem = judge_lay(here.get(where), where, Lay(tile, rotation)) if known else None
                verdicts[lay] = problem.code if problem else None if known else "unknown"
        wrong = [
            lay for lay in verdicts if verdicts[lay] and position["tiles"].get(lay[0]) == [*lay[1:]]
        ]
        bad.update(
            f"{where} {tile} {turn} {verdicts[where, tile, turn]}" for where, tile, turn in wrong
        )
        legal += not wrong
    return legal, bad


def as_imported(title: Title, record: Record) -> None:
    """Write tiles that the program shows for others, with something on them, as these."""
    for position in record:
        for lay in position["tiles"].values():
            if lay[0] not in title.tile_by_id:
                lay[0] = shown_by(lay[0], title.tile_by_id) or lay[0]


def upgrades(record: Record) -> Iterator[tuple[str, tuple[str, int] | None, str]]:
    """Yield hex, what lies on it (None: what is printed), and the tile that replaces it."""
    before: dict[str, list[Any]] = {}
    for position in record:
        for where, (tile, _) in position["tiles"].items():
            old = before.get(where)
            if old is None or old[0] != tile:
                yield where, (old[0], old[1]) if old else None, tile
        before = position["tiles"]


def follows(title: Title, spot: Spot, old: tuple[str, int] | None, tile: str) -> bool:
    """True if a tile may replace what lies on a hex, at once or after one between."""
    if old is not None and old[0] not in title.tile_by_id:
        return False
    first, _ = next_lays(title, spot, old)
    return tile in first or any(
        tile in next_lays(title, spot, (between, turn))[0]
        for between, turns in first.items()
        for turn in turns
    )


def main() -> None:
    games = {
        plain(path.name[2:]): path for path in (_SHARED / "corpus/18xx-games/game").glob("g_*")
    }
    wanted = {plain(name.removeprefix("g_")) for name in sys.argv[1:]} or games.keys()
    by_game: dict[str, list[tuple[tuple[str, ...], Record]]] = defaultdict(list)
    for name, rules, record in records():
        if name in games and name in wanted:
            by_game[name].append((rules, record))
    total = Counter[str]()
    for name, played in by_game.items():
        imports: dict[tuple[str, ...], list[Title]] = {}
        seen, inside, bad, legal = set[tuple[str, str]](), set[tuple[str, str]](), Counter[str](), 0
        for rules, record in played:
            if rules not in imports:
                with tempfile.TemporaryDirectory() as folder:
                    imports[rules] = titles(games[name], rules, Path(folder) / "title")
            as_imported(imports[rules][0], record)
            judged = [(refused(title, record), title) for title in imports[rules]]
            (most, lays), title = max(judged, key=lambda each: each[0][0])
            legal, bad = legal + most, bad + lays
            here = spots_of(title, title.maps[0])
            for where, old, tile in upgrades(record):
                pair = (f"hex:{where}" if old is None else old[0], tile)
                seen.add(pair)
                if pair not in inside and where in here and follows(title, here[where], old, tile):
                    inside.add(pair)
        positions = sum(len(record) for _, record in played)
        total.update(upgrades=len(seen), inside=len(inside), positions=positions, legal=legal)
        print(
            f"{name:20}{len(inside):5} of {len(seen):4} upgrades {legal:6} of {positions:4} positions"
        )
        for words in (
            ", ".join(f"{old} > {new}" for old, new in sorted(seen - inside)),
            ", ".join(f"{lay} x {count}" for lay, count in bad.most_common(20)),
        ):
            if words:
                print(f"    {words}")
    for part, whole in (("inside", "upgrades"), ("legal", "positions")):
        print(
            f"{part}: {total[part]} of {total[whole]} {whole} ({total[part] / max(1, total[whole]):.1%})"
        )


if __name__ == "__main__":
    main()
