"""Every game of the corpus, and two made by hand: it imports, and a count by another reading of its
files finds all of it.

The other reading is by regular expressions over the text of map.rb, and by plain JSON: it shares
nothing with the importer.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from beside import needs
from exchange import corpus
from platelayer.exchange.importers import import_title
from platelayer.pipeline.build import build
from platelayer.pipeline.load import check

_DRAWN = ("GL", "LG")
"""Families of findings that come from what the drawing can fit and the faces of type have, not from
the import."""


@pytest.mark.parametrize("source", corpus.some([*corpus.ruby_games(), *corpus.maker_games()]))
def test_a_game_imports_and_checks_clean(source: Path) -> None:
    if source.is_dir():
        pytest.importorskip("tree_sitter_ruby")
    title = corpus.imported(source)
    errors = [
        problem for problem in check(str(title), quick=True) if problem.severity.word == "error"
    ]
    assert [problem for problem in errors if not problem.code.startswith(_DRAWN)] == []


@needs("corpus")
@pytest.mark.parametrize("source", corpus.some(corpus.older_games()))
def test_an_older_game_is_printed_whole(source: Path) -> None:
    assert build(str(corpus.imported(source))).files


_HEXES = re.compile(r"^ {8}HEXES = \{$(.*?)^ {8}\}", re.MULTILINE | re.DOTALL)
_ENTRY = re.compile(
    r"(%w\[[^]]*\]|\[[^]]*\])\s*=>\s*((?:'[^']*'|\"[^\"#]*\")(?:\s*\\\s*(?:'[^']*'|\"[^\"#]*\"))*)"
)
_PLACE = re.compile(r"[A-Za-z]{1,2}-?\d{1,2}")
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")


@cache
def _maps() -> list[Path]:
    """Games whose map is one literal that is not inherited, changed or put together."""
    found = []
    for folder in corpus.ruby_games():
        path = folder / "map.rb"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        block = _HEXES.search(text)
        computed = re.search(
            r"def (game_hexes|optional_hexes|map_\w*hexes)|[A-Z_]+HEXES\b.*merge|#\{", text
        )
        everywhere = "".join(
            each.read_text(encoding="utf-8") for each in sorted(folder.glob("*.rb"))
        )
        if block and not computed and not re.search(r"def (game_hexes|optional_hexes)", everywhere):
            found.append(folder)
    return found


def _counted_in_source(folder: Path, aside: set[str]) -> tuple[Counter[str], set[str]]:
    """Cities, towns, off-boards, labels, sums of costs and fixed revenues on the map."""
    text = (folder / "map.rb").read_text(encoding="utf-8")
    counts: Counter[str] = Counter()
    places: set[str] = set()
    beside_the_map = re.compile(
        r"^ {10}empty: \{(?:[^\n]*\},$|.*?^ {10}\},$)", re.MULTILINE | re.DOTALL
    )
    text = beside_the_map.sub("", text)
    match = _HEXES.search(text)
    for hexes, quoted in _ENTRY.findall(
        re.sub(r"^\s*#.*", "", match[1] if match else "", flags=re.MULTILINE)
    ):
        string = "".join(one or other for one, other in _QUOTED.findall(quoted))
        here = [place for place in _PLACE.findall(hexes.removeprefix("%w")) if place not in aside]
        places |= set(here)
        string = {"town": "town=revenue:0", "city": "city=revenue:0"}.get(string, string)
        for part in re.split(r";|\n", string):
            kind, _, rest = part.strip().partition("=")
            if kind in ("city", "town", "halt", "offboard", "pass"):
                counts[kind] += len(here)
                revenue = re.search(r"revenue:(-?\d+)(?:,|$)", rest)
                counts["revenue"] += len(here) * int(revenue[1]) if revenue else 0
                steps = re.findall(
                    r"(?:white|yellow|green|brown|gray|purple|red|blue)_(-?\d+)", rest
                )
                counts["steps"] += len(here) * sum(map(int, steps))
            elif kind in ("label", "future_label"):
                counts["label"] += len(here)
            elif kind in ("upgrade", "border"):
                cost = re.search(r"cost:(-?\d+)", rest)
                counts["cost"] += len(here) * int(cost[1]) if cost else 0
            elif kind == "path":
                counts["path"] += len(here) * int((re.search(r"lanes:(\d)", rest) or [0, 1])[1])
    return counts, places


def _counted_in_title(folder: Path) -> tuple[Counter[str], set[str]]:
    counts: Counter[str] = Counter()
    hexes = corpus.block(folder, "map")["hexes"]
    for each in hexes.values():
        for stop in each.get("stops", ()):
            counts[stop["kind"]] += 1
            revenue = stop.get("revenue", 0)
            counts["revenue"] += revenue if isinstance(revenue, int) else 0
            if isinstance(revenue, dict):
                counts["steps"] += sum(value for key, value in revenue.items() if key != "D")
        counts["label"] += len(each.get("labels", ()))
        counts["cost"] += sum(
            entry.get("cost", 0) for entry in (*each.get("terrain", ()), *each.get("borders", ()))
        )
        counts["path"] += len(each.get("track", ()))
    return counts, set(hexes)


@needs("corpus")
def test_there_are_maps_to_count() -> None:
    assert len(_maps()) >= 16


@pytest.mark.parametrize("source", corpus.some(_maps()))
def test_all_of_the_map_is_there(source: Path) -> None:
    pytest.importorskip("tree_sitter_ruby")
    title = corpus.imported(source)
    found, hexes = _counted_in_title(title)
    lost = (title / "import-report.md").read_text(encoding="utf-8")
    between = re.search(r"\| hex between the others \| \d+ \| (.*) \|", lost)
    expected, places = _counted_in_source(source, set(between[1].split(", ")) if between else set())
    assert hexes == places
    for what, number in expected.items():
        if what == "label" and "label" in lost:
            continue
        # The importer adds labels, where the game has tiles for one place.
        assert (what, min(found[what], number) if what == "label" else found[what]) == (
            what,
            number,
        )


@needs("corpus")
@pytest.mark.parametrize(
    ("game", "constant", "variant", "anew"),
    [
        ("g_18_cz", "TWO_PLAYER_HEXES_TO_REMOVE", "2-players", set()),
        ("g_1860", "OPTION_REMOVE_HEXES", "2-3p-map", {"B4"}),
    ],
)
def test_a_smaller_map_is_a_variant(
    game: str, constant: str, variant: str, anew: set[str], tmp_path: Path
) -> None:
    """With the hexes that its source removes, but for those that it gives anew."""
    pytest.importorskip("tree_sitter_ruby")
    folder = corpus.FOLDER / "18xx-games" / "game" / game
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.rb")))
    (removed,) = re.findall(rf"{constant} = %w\[([^]]*)\]", text)
    import_title(folder, tmp_path / "title")
    head = json.loads((tmp_path / "title" / "title.json").read_text(encoding="utf-8"))
    patched = head["variants"][variant]["patch"]["maps"]["main"]["hexes"]
    assert {place for place, hexagon in patched.items() if hexagon is None} == set(
        removed.split()
    ) - anew
    assert set(corpus.block(tmp_path / "title", "map")["hexes"]) >= set(removed.split())


@pytest.mark.parametrize("source", corpus.some(_maps()))
def test_homes_are_where_the_source_has_them(source: Path) -> None:
    pytest.importorskip("tree_sitter_ruby")
    entities = source / "entities.rb"
    text = re.sub(
        r"^\s*#.*",
        "",
        entities.read_text(encoding="utf-8") if entities.exists() else "",
        flags=re.MULTILINE,
    )
    wanted = set(re.findall(r"^ {12}coordinates: '([A-Za-z]{1,2}\d{1,2})'", text, re.MULTILINE))
    title = corpus.imported(source)
    companies = [
        *corpus.block(title, "companies").values(),
        *corpus.block(title, "privates").values(),
    ]
    homes = {home["hex"] for company in companies for home in company.get("homes", ())}
    held = {each for company in companies for each in company.get("blocks", ())}
    assert wanted <= homes | held


@pytest.mark.parametrize("source", corpus.some(corpus.maker_games()))
def test_all_hexes_and_pieces_of_18xx_maker_are_there(source: Path) -> None:
    raw = json.loads(source.read_text(encoding="utf-8"))
    title = corpus.imported(source)
    report = (title / "import-report.md").read_text(encoding="utf-8")
    aside = sum(int(count) for count in re.findall(r"\| hex between the others \| (\d+) ", report))
    aside += sum(
        int(count)
        for count in re.findall(r"\| hex with coordinates that are none \| (\d+) ", report)
    )
    boards = raw["map"] if isinstance(raw["map"], list) else [raw["map"]]
    aside += sum(
        1
        for each in boards[0]["hexes"]
        for _ in each["hexes"]
        if len(each.get("removeBorders", ())) == 6
    )
    wanted = {place for each in boards[0]["hexes"] for place in each["hexes"]}
    hexes = corpus.block(title, "map")["hexes"]
    assert len(hexes) + aside >= len(wanted)
    assert set(hexes) <= wanted
    phases = {str(each.get("name")) for each in raw["phases"]}
    assert len(corpus.block(title, "phases")) == len(phases)
    assert len(corpus.block(title, "trains")) == len(raw.get("trains", ()))
    for key in ("companies", "privates"):
        assert len(corpus.block(title, key)) == len(raw.get(key, ()))
    dropped = report.count("tile that no catalogue has")
    assert dropped or len(corpus.block(title, "tiles")) == len(raw["tiles"])


_BUILT = (
    *("g_18_mill", "g_1817", "g_1830", "g_1846", "g_1858", "g_1889", "g_18_chesapeake"),
    *("18Ford", "1889", "18Test"),
)
"""Games of every kind of map, market and company."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [each for each in (*corpus.ruby_games(), *corpus.maker_games()) if each.stem in _BUILT],
    ids=lambda path: path.name,
)
def test_a_game_builds_as_imported(source: Path, tmp_path: Path, platelayer) -> None:
    if source.is_dir():
        pytest.importorskip("tree_sitter_ruby")
    import_title(source, tmp_path / "title")
    done = platelayer("build", tmp_path / "title", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    (manifest,) = (tmp_path / "out").rglob("manifest.json")
    drawn = {
        each["kind"] for each in json.loads(manifest.read_text(encoding="utf-8"))["placements"]
    }
    assert {"map", "tile", "train", "certificate", "market", "private"} <= drawn
