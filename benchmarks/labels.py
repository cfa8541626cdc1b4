"""How well words find their places, on the tiles and maps of the five titles: prints tables.

Run: PYTHONPATH=generator python benchmarks/labels.py [LANGUAGE]. First the words within hexes. A
score is the cost that `drawing/hex/words.py` describes, less is better: by the exact choice, and by
choosing greedily in turn among the same candidates. Then: words set smaller than their style says;
labels that stand in the corner where those of all other hexes do; hexes whose choice is not proved
to be the best. Next the names of lands and rivers of each map, with the cost that
`drawing/map/names.py` describes: by the exact choice, by choosing in turn, and what each would cost
alone; lands in small letters and rivers without a name. Below, how many places the title's files set by
hand, and how many of them without a reason beside them.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any
from unittest.mock import patch

from platelayer.drawing.boards.sheets import draw_map
from platelayer.drawing.hex import tile as hexes
from platelayer.drawing.hex.captions import label_places
from platelayer.drawing.hex.words import Place, Word, choose
from platelayer.drawing.map import names
from platelayer.drawing.map.names import map_labels
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.choice import Choice
from platelayer.foundation.resources import asset_path
from platelayer.model.manifest import build_manifest
from platelayer.model.tile import HEX_MM
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_to_print
from platelayer.rules.graph import upgrade_graph

TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")
KINDS = {"tiles": ("tile",), "maps": ("map", "map-tile")}
NAMES_HEAD = "title       map             names   score   alone  small  nameless  proved    ms"
HEAD = "title       what   hexes words   score  smaller  labels in corner  unproved   ms"


class Tally:
    """What is chosen while pieces are drawn."""

    def __init__(self) -> None:
        self.hexes = self.words = self.smaller = self.labels = self.in_corner = self.unproved = 0
        self.scores: list[float] = []
        self.seconds = 0.0

    def choose(self, words: Sequence[Word]) -> Choice[Place]:
        """As `choice.choose`, noted."""
        start = time.process_time()
        choice = choose(words)
        self.seconds += time.process_time() - start
        if words:
            self.hexes += 1
            self.words += len(words)
            self.scores.append(choice.cost)
            self.unproved += not choice.proved
            self.smaller += sum(place.smaller for place in choice.places)
            labels = [
                place
                for word, place in zip(words, choice.places, strict=True)
                if word.kind == "label"
            ]
            self.labels += len(labels)
            self.in_corner += sum(_in_corner(words[0], place) for place in labels)
        return choice


def _in_corner(word: Word, place: Place) -> bool:
    field, block = word.field, place.shape.block
    places = label_places(
        field.layout, field.half, word.scale * HEX_MM, (block.width, block.height)
    )
    return math.dist(places[0][1:], (place.x, place.y)) < 1e-6


def rows(name: str, language: str) -> Iterator[str]:
    """A row for the tiles of a title, and one for its maps."""
    loaded, _, style = read_to_print(name, BuildOptions(language=language))
    title = loaded.title
    manifest, graph = build_manifest(title), upgrade_graph(title)
    for what, kinds in KINDS.items():
        tally = Tally()
        hexes.hex_items.cache_clear()
        with patch.object(hexes, "choose", tally.choose):
            for piece in manifest.pieces:
                if piece.kind in kinds:
                    draw_piece(title, manifest, piece, style, graph)
        yield (
            f"{name:10}  {what:5} {tally.hexes:6} {tally.words:5} {math.fsum(tally.scores):7.1f} "
            f"{tally.smaller:8} {tally.in_corner:10} of {tally.labels:3} "
            f"{tally.unproved:9} {1000 * tally.seconds:4.0f}"
        )


def name_rows(title_id: str, language: str) -> Iterator[str]:
    """A row for each map of a title: how the names of its lands and rivers find their places."""
    loaded, _, style = read_to_print(title_id, BuildOptions(language=language))
    seen: list[tuple[list[names.Label], float]] = []

    def labels_of(plan: MapPlan, taken: names.Taken, *rest: Any) -> list[names.Label]:
        start = time.process_time()
        labels = map_labels(plan, taken, *rest)
        seen.append((labels, time.process_time() - start))
        return labels

    for gamemap in loaded.title.maps:
        seen.clear()
        with patch.object(names, "map_labels", labels_of):
            draw_map(loaded.title, gamemap.id, style)
        for labels, spent in seen:
            choice = names.choose(labels)
            alone = math.fsum(label.spots[0].cost for label in labels)
            least = style.type("map.region").min_pt
            small = len(
                [
                    label
                    for label, spot in zip(labels, choice.places, strict=True)
                    if label.kind == "land" and spot.type_style.size_pt < least
                ]
            )
            nameless = len([spot for spot in choice.places if not spot.letters])
            yield (
                f"{title_id:10}  {gamemap.id:14} {len(labels):6} {choice.cost:7.1f} "
                f"{alone:7.1f} {small:6} {nameless:9} "
                f"{choice.proved!s:>7} {1000 * spent:5.0f}"
            )


def hints(name: str) -> tuple[int, int]:
    """Hand-set places of stops and icons in the files of a title, and how many of them have no
    reason beside them."""
    found: list[dict[str, Any]] = []

    def look(value: object) -> None:
        if isinstance(value, dict):
            if "at" in value and ("kind" in value or "name" in value):
                found.append(value)
            for each in value.values():
                look(each)
        elif isinstance(value, list):
            for each in value:
                look(each)

    for path in sorted(asset_path("titles", name).glob("*.json")):
        look(json.loads(path.read_text(encoding="utf-8")))
    return len(found), sum("$comment" not in each for each in found)


def main() -> None:
    """Print it all."""
    language = sys.argv[1] if len(sys.argv) > 1 else "en"
    print(HEAD)
    for name in TITLES:
        for row in rows(name, language):
            print(row)
    print(NAMES_HEAD)
    for name in TITLES:
        for row in name_rows(name, language):
            print(row)
    for name in TITLES:
        count, bare = hints(name)
        print(f"{name}: {count} hand-set places, {bare} without a reason")


if __name__ == "__main__":
    main()
