"""A group that has only the guide's text and the tiles of the box lays the same map."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from often import crossed
from platelayer.atlas.make import AtlasOptions, atlas_new
from platelayer.atlas.report import companies_in_play
from platelayer.definitions.build import shipped_box
from platelayer.model.map_tiles import AtlasLog, Ground, board_origin, place_name, tile_hexes
from shipped import shipped

BOX = shipped_box()
TITLE = shipped("lost-atlas")
NAMES = {
    "en": ("home", "plain", "mountain", "water", "city", "border", "off-board"),
    "ja": ("本拠地", "空白", "山", "水域", "都市", "境界", "盤外"),
}
GROUNDS = [*Ground]
WORDS = {
    "en": (
        r"in order of number: ([^.]*)\.",
        r"Put back in the box: ([^.]*)\.",
        "Tile ",
        "Capital",
        "lay blanks on",
    ),
    "ja": (
        r"番号順に並べる：([^。]*)。",
        r"箱に戻す：([^。]*)。",
        r"タイル\s*",
        "首都",
        "空白ヘックスタイルを置く場所",
    ),
}
PLACE = re.compile(r"([A-Z]+)(\d+)")


def numbers(listed: str) -> Counter[int]:
    """Numbers of map tiles as the guide lists them: "3, 12 (2×)"."""
    return Counter(
        {
            int(number): int(count or 1)
            for number, count in re.findall(r"(\d+)(?:\s*\((\d+)×\))?", listed)
        }
    )


def spot(place: str) -> tuple[int, int]:
    """Column and row of printed coordinates, from 0; the rows of a column are two apart."""
    letters, row = PLACE.fullmatch(place).groups()
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - 64
    return column - 1, int(row) - 1


def clockwise(places: tuple[str, ...]) -> list[str]:
    """Three places round a corner, clockwise from the top or the upper left one."""
    assert len(places) == 3
    spots = {place: spot(place) for place in places}
    columns = Counter(x for x, _ in spots.values())
    (pair,) = (x for x, count in columns.items() if count == 2)
    (alone,) = (place for place, (x, _) in spots.items() if x != pair)
    upper, lower = sorted(
        (place for place in places if place != alone), key=lambda place: spots[place][1]
    )
    assert spots[lower][1] - spots[upper][1] == 2
    assert abs(spots[alone][0] - pair) == 1
    assert spots[alone][1] == spots[upper][1] + 1
    return [upper, alone, lower] if spots[alone][0] > pair else [upper, lower, alone]


def cut_out(number: int) -> tuple[Ground, ...]:
    """A tile of the box as it lies in the hand: what its hexes show, clockwise round its middle."""
    tile = BOX.tile_by_number[number]
    return tuple(hexagon.ground for hexagon in tile.hexes)


def laid_by_text(
    text: str, language: str
) -> tuple[dict[str, tuple[int, int]], list[str], set[str]]:
    """A map laid by the guide's words alone: at each place the number of a tile and which of its
    hexes (for those that look alike, the first); capitals; blanks."""
    fetch, _, tile_word, capital, blanks = WORDS[language]
    ground_of = dict(zip(NAMES[language], GROUNDS, strict=True))
    pile = numbers(re.search(fetch, text)[1])
    board: dict[str, tuple[int, int]] = {}
    capitals: list[str] = []
    words = "|".join(NAMES[language])
    pattern = rf"(?:{tile_word}(\d+)|({capital}))\b[^\n]*\n\s*((?:(?:{words})\s+[A-Z]+\d+[\s·]*)+)"
    for number, is_capital, hexes in re.findall(pattern, text):
        shown = re.findall(rf"({words})\s+([A-Z]+\d+)", hexes)
        if is_capital:
            ((ground, place),) = shown
            assert ground_of[ground] is Ground.CITY
            assert cut_out(board[place][0])[board[place][1]] is Ground.CITY
            capitals.append(place)
            continue
        tile = int(number)
        assert pile[tile] > 0, f"tile {tile} was not fetched"
        pile[tile] -= 1
        wanted = {place: ground_of[ground] for ground, place in shown}
        places = clockwise(tuple(wanted))
        looks = cut_out(tile)
        turns = [
            k for k in range(3) if all(looks[(i + k) % 3] is wanted[places[i]] for i in range(3))
        ]
        assert turns, f"tile {tile} fits in no way"
        assert len(turns) == 1 or len(set(looks)) == 1, f"tile {tile} fits in several ways"
        assert not board.keys() & wanted.keys()
        board |= {place: (tile, (i + turns[0]) % 3) for i, place in enumerate(places)}
    assert not +pile, f"tiles left over: {+pile}"
    last = text[text.rindex(blanks) + len(blanks) :] if blanks in text else ""
    return board, capitals, set(re.findall(r"\b[A-Z]+\d+\b", last.split("\f")[0]))


def laid_by_log(log: AtlasLog) -> tuple[dict[str, tuple[int, int]], list[str], set[str]]:
    origin = board_origin(log)
    board = {
        place_name(at, origin): (draw.tile, 0 if len(set(cut_out(draw.tile))) == 1 else index)
        for draw in log.placed
        for index, at in enumerate(tile_hexes(draw.at, draw.rotation))
    }
    capitals = [place_name(at, origin) for at in log.overlays]
    return board, capitals, {place_name(at, origin) for at in log.blanks}


def same_looks(board: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """The same with one hex for all of a tile that shows the same three times."""
    return {
        place: (tile, 0 if len(set(cut_out(tile))) == 1 else index)
        for place, (tile, index) in board.items()
    }


@pytest.mark.parametrize(
    ("mode", "seed", "policy", "language"),
    crossed(
        [
            ("long", 7, "compact"),
            ("long", 5, "uniform"),
            ("micro3", 9, "uniform"),
            ("micro2", 4, "compact"),
        ],
        ["ja", "en"],
    ),
)
def test_the_guide_alone_rebuilds_the_map(tmp_path: Path, language, mode, seed, policy):
    options = AtlasOptions(mode=mode, seed=seed, policy=policy, language=language, png=False)
    log = atlas_new(tmp_path, options).log
    text = subprocess.run(
        ["pdftotext", "-raw", tmp_path / "guide.pdf", "-"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    board, capitals, blanks = laid_by_text(text, language)
    assert (same_looks(board), capitals, blanks) == laid_by_log(log)
    fetch, back, *_ = WORDS[language]
    wanted = numbers(re.search(fetch, text)[1])
    put_back = numbers(found[1]) if (found := re.search(back, text)) else Counter()
    assert wanted + put_back == Counter({tile.number: tile.copies for tile in BOX.map_tiles})
    # What else is set up stands on the first page.
    first, rules = text.split("\f")[0], BOX.mode_by_id[mode]
    if language == "ja":  # Japanese is set with room beside figures, which reads as a blank
        first = re.sub(r"[ \n]", "", first)
    for company in companies_in_play(BOX, rules, log):
        assert TITLE.company_by_id[company].name.get(language).replace(" ", "") in "".join(
            first.split()
        )
    for train, count in rules.trains:
        assert (
            f"{count} × {train}-train" if language == "en" else f"{train}-列車{count}枚"
        ) in first
    for players, amount in rules.cash:
        assert (
            f"{players} players: ${amount}" if language == "en" else f"{players}人：${amount}"
        ) in first
    assert "+".join(map(str, rules.columns)) in first.replace(" ", "")
    assert (
        f"after cycle {rules.cycles}" if language == "en" else f"{rules.cycles}サイクルで終了"
    ) in first
    assert ("30/40/70/100" in first.replace(" ", "")) == any(
        draw.tile in (26, 27, 28) for draw in log.placed
    )
