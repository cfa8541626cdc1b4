"""Rules on pieces and texts that cannot be printed or read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Severity
from platelayer.model.gamemap import GameMap
from platelayer.model.hexes import COS_30, centre_mm, corner_points
from platelayer.model.title import Size, Title, kind_of_size
from platelayer.rules.rule import Finding, rule
from platelayer.rules.texts import located_texts

_SHEET_MM = (186.0, 262.0)
"""Room for one piece on A4 inside margins of 6 mm, crop marks and the foot of the sheet."""
_LARGEST_MM = (841.0, 1189.0)
"""A0, the largest paper that is known by name."""
_HEX_KINDS = ("tile", "map-tile", "overlay")
_BOARDS = ("market", "revenue-chart", "round-track", "train-chart", "upgrade-chart")
"""Boards are printed as posters, or in parts that are joined; the map as well."""


@rule("PC01", "piece larger than the paper", Severity.WARNING)
def piece_too_large(title: Title) -> Iterator[Finding]:
    """A card, tile or token does not fit an A4 sheet inside margins and cut marks (186 x 262 mm): it can be printed on
    larger paper alone. A note where a board is larger than A0, so that it comes in parts only.

    Wrong: "sizes": {"charter": [297, 210]}.

    Right: "sizes": {"charter": [148, 105]}.

    Source: home printers take A4 (ISO 216) and leave 5 to 6 mm of each side blank.
    """
    for size in title.pieces.sizes:
        kind = kind_of_size(size.kind)
        if kind == "map":
            continue
        width, height = _outline(size)
        room, paper = (_LARGEST_MM, "A0") if kind in _BOARDS else (_SHEET_MM, "A4")
        if not _fits(width, height, room):
            yield Finding(
                pointer=join_pointer("pieces", "sizes", size.kind),
                place=size.kind,
                message=f'"{size.kind}" of {width:.0f} x {height:.0f} mm does not fit {paper} '
                f"({room[0]:.0f} x {room[1]:.0f} mm)",
                hint="choose a smaller size, or print on larger paper",
                severity=Severity.NOTE if kind in _BOARDS else None,
            )
    for gamemap in title.maps:
        width, height = _map_outline(gamemap, title.pieces.size("map", gamemap.id).width_mm)
        if not _fits(width, height, _LARGEST_MM):
            yield Finding(
                pointer=join_pointer("maps", gamemap.id),
                place=gamemap.id,
                message=f'the hexes of map "{gamemap.id}" take {width:.0f} x {height:.0f} mm, more than A0 '
                f"({_LARGEST_MM[0]:.0f} x {_LARGEST_MM[1]:.0f} mm)",
                hint="it will be printed in parts; or give the map smaller hexes",
                severity=Severity.NOTE,
            )


def _outline(size: Size) -> tuple[float, float]:
    """Width and height in mm of what is cut out: the size of a hex is flat to flat."""
    if kind_of_size(size.kind) in _HEX_KINDS:
        return size.width_mm, size.width_mm / COS_30
    return size.width_mm, size.height_mm


def _fits(width: float, height: float, room: tuple[float, float]) -> bool:
    return min(width, height) <= room[0] and max(width, height) <= room[1]


def _map_outline(gamemap: GameMap, across_mm: float) -> tuple[float, float]:
    """Width and height in mm of the hexes of a map."""
    centres = [centre_mm(hexagon.at, gamemap.layout, across_mm) for hexagon in gamemap.hexes]
    corners = corner_points(gamemap.layout, across_mm)
    if not centres:
        return 0.0, 0.0
    width, height = (
        max(at[axis] for at in centres) - min(at[axis] for at in centres) + 2 * max(corner[axis] for corner in corners)
        for axis in (0, 1)
    )
    return width, height


@rule("PC02", "text missing in a language", Severity.WARNING)
def missing_language(title: Title) -> Iterator[Finding]:
    """A text is given by language, but not in a language that at least half of all such texts of the title have: it
    would be printed in another one. Texts that are a plain string are meant for every language.

    Wrong: {"en": "Stock round"} in a title whose other texts have "en" and "ja".

    Right: {"en": "Stock round", "ja": "株式ラウンド"}.

    Source: `platelayer build --lang` prints a title in one language.
    """
    # Terms stand in for fixed words, which have every language: one that a term leaves out keeps the usual words.
    texts = [
        (at, {code for code, _ in text.forms if code}, text)
        for at, text in located_texts(title)
        if not at.startswith("/terms/")
    ]
    told = [(at, codes, text) for at, codes, text in texts if codes]
    counts = Counter(code for _, codes, _ in told for code in codes)
    wanted = sorted(code for code, count in counts.items() if 2 * count >= len(told))
    for at, codes, text in told:
        lacking = [code for code in wanted if not text.has(code)]
        if lacking:
            language = sorted(codes)[0]
            words = text.get(language)
            yield Finding(
                pointer=at,
                place=at,
                message=f'"{words[:40]}{"..." if len(words) > 40 else ""}" has words in {", ".join(sorted(codes))}, '
                f"but none in {', '.join(lacking)}, as {counts[lacking[0]]} other texts of the title have",
                hint=f'add "{lacking[0]}": "..."',
            )
