"""Routes on recorded boards: for each game, how long the search and the verification take, how much
is proven, and whether companies earn at least what was run, and what the engine's best is.

Run: PYTHONPATH=generator:benchmarks python benchmarks/recorded_routes.py [GAME ...] (names as in the
records, such as 1830). Reads `recorded/` and `corpus/18xx-games` as
`benchmarks/recorded.py` does. Shipped titles are used where there is one, else the import of the
game. Times are of the processor, in milliseconds, in one process.
"""

from __future__ import annotations

import json
import sys
import tarfile
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from platelayer.exchange.losses import shown_by
from platelayer.model.position import NEUTRAL, Lay, Position, Station
from platelayer.model.tile import WITH_SLOTS
from platelayer.model.title import Title
from platelayer.pipeline.load import find
from platelayer.play.network import Network, engines_of, network_of
from platelayer.play.proof import Shown, verify
from platelayer.play.runs import Best, best_runs, bits_of
from platelayer.rules.positions import hex_names
from recorded import _SHARED as SHARED
from recorded import plain, titles

SHIPPED = {"18eu": "18eu", "18cz": "18cz", "1841": "1841", "1824": "1824"}


class Board(NamedTuple):
    """A recorded position in a title's words, the company that runs with its trains, what it ran,
    and what was left out of the position."""

    game: str
    action: int
    title: Title
    position: Position
    company: str
    trains: tuple[str, ...]
    played: int
    left_out: tuple[str, ...]


def games(wanted: set[str]) -> Iterator[tuple[str, Title, list[dict[str, Any]]]]:
    """Yield the name of each record, its title and its positions."""
    sources = {plain(p.name[2:]): p for p in (SHARED / "corpus/18xx-games/game").glob("g_*")}
    known: dict[tuple[str, tuple[str, ...]], list[Title]] = {}
    with tarfile.open(SHARED / "recorded" / "positions.tar.xz") as archive:
        texts = {}
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                texts[Path(member.name).name] = file.read()
    for name, text in sorted(texts.items()):
        end = texts.get(name.removesuffix(".jsonl") + ".end.json")
        game = plain(name.partition("__")[0])
        if not name.endswith(".jsonl") or end is None or (wanted and game not in wanted):
            continue
        lines = [line for line in map(json.loads, text.splitlines()) if line.get("e")]
        key = game, tuple(json.loads(end)["rules"])
        if key not in known:
            if game in SHIPPED:
                known[key] = [find(SHIPPED[game]).title]
            elif game in sources:
                with tempfile.TemporaryDirectory() as folder:
                    known[key] = titles(sources[game], key[1], Path(folder) / "title")
            else:
                continue
        names = {(h, Lay(t, turn)) for line in lines for h, (t, turn) in line["tiles"].items()}
        tokens = {token[0] for line in lines for token in line["toks"]}
        best = max(
            (title for title in known[key] if title.maps),
            key=lambda title: (
                found.possible
                if (found := hex_names(title, title.maps[0], sorted(names, key=str), tokens))
                else -1
            ),
            default=None,
        )
        if best is not None and lines:
            yield name.removesuffix(".jsonl"), best, lines


def boards(game: str, title: Title, lines: list[dict[str, Any]]) -> Iterator[Board]:
    """Yield the positions of a record in which a company with trains runs."""
    board = title.maps[0]
    lays = {(h, Lay(t, turn)) for line in lines for h, (t, turn) in line["tiles"].items()}
    others = {token[0] for line in lines for token in line["toks"]}
    named = hex_names(title, board, sorted(lays, key=str), others)
    names = named.names if named else {hex_id: hex_id for hex_id in board.by_id}
    companies = {company.token_text: company.id for company in title.companies}
    companies |= {company.id: company.id for company in title.companies}
    phases = {words: phase.id for phase in title.phases for words in (phase.id, *phase.begun_by)}
    phases |= {phase.id.removeprefix("PH").replace(".5", "½"): phase.id for phase in title.phases}
    known = title.faces_by_name
    # 18CZ: "2+2c" is one of the trains on card c.
    several = {f.name + t.id: f"{t.id} {f.name}" for t in title.trains for f in t.faces[1:]}
    several |= {t.faces[0].name + t.id: t.id for t in title.trains if len(t.faces) > 1}
    for line in lines:
        out = []
        tiles, tokens = {}, defaultdict[str, list[Station]](list)
        for hex_id, (tile, turn) in line["tiles"].items():
            number = tile if tile in title.tile_by_id else shown_by(tile, title.tile_by_id)
            if number is None or hex_id not in names:
                out.append(f"tile {tile} on {hex_id}")
                continue
            tiles[names[hex_id]] = Lay(number, turn)
        position = Position(
            title=title.id,
            variant=title.variant,
            phase=phases.get(line["phase"]),
            tiles=tuple(tiles.items()),
        )
        if position.phase is None:
            out.append(f"phase {line['phase']}")
        shown = title.shown_in(position)
        for hex_id, index, owner in line["toks"]:
            where = names.get(hex_id, hex_id)
            stops = shown[where].stops if where in shown else ()
            cities = [n for n, stop in enumerate(stops) if stop.kind in WITH_SLOTS]
            if index >= len(cities):
                out.append(f"token {owner} on {hex_id}")
                continue
            tokens[where].append(Station(companies.get(owner, NEUTRAL), cities[index]))
        held = tuple((where, tuple(each)) for where, each in tokens.items())
        position = replace(position, tokens=held)
        trains = [several.get(train[1], train[1]) for train in line["trains"]]
        out += [f"train {train}" for train in trains if train not in known]
        company = companies.get(line["e"])
        own = tuple(train for train in trains if train in known)
        if company is None or not own:
            continue
        yield Board(game, line["a"], title, position, company, own, line["total"], tuple(out))


def shown(network: Network, best: Best) -> list[Shown | None]:
    """The runs as a proof names them."""
    return [
        run
        and Shown(
            stops=tuple((network.places[p].hex, network.places[p].stop) for p in run.places),
            sides=tuple(tuple(network.names[s] for s in bits_of(c.sides)) for c in run.chains),
            value=run.value,
        )
        for run in best.runs
    ]


def main() -> None:
    optima = {}
    for line in (SHARED / "recorded" / "engine-optimum.jsonl").read_text("utf-8").splitlines():
        told = json.loads(line)
        optima[told["f"], told["a"]] = told["best"]
    times, checks, all_of_them = [], [], Counter[str]()
    for name, title, lines in games({*map(plain, sys.argv[1:])}):
        tally = Counter[str]()
        for board in boards(name, title, lines):
            network = network_of(title, board.position, board.company)
            engines = engines_of(title, board.company, board.trains)
            start = time.process_time()
            best = best_runs(network, engines)
            times.append(time.process_time() - start)
            tally["boards"] += 1
            tally["proven"] += best.proof is not None
            tally["less than was run"] += best.total < board.played
            if best.proof is not None:
                start = time.process_time()
                verify(network, engines, shown(network, best), best.total, best.proof)
                checks.append(time.process_time() - start)
            most = optima.get((name, board.action))
            if most is not None:
                order = (best.total > most) - (best.total < most)
                tally[("as the engine", "above the engine", "below the engine")[order]] += 1
        all_of_them += tally
        untold = [str(table.name) for table in title.bonuses if table.pays is None]
        print(name, dict(tally), *untold, flush=True)
    print(dict(all_of_them))
    for what, taken in (("search", sorted(times)), ("verification", sorted(checks))):
        if taken:
            half, most = taken[len(taken) // 2], taken[int(len(taken) * 0.99)]
            print(f"{what}: p50 {half * 1000:.1f} ms, p99 {most * 1000:.1f} ms")


if __name__ == "__main__":
    main()
