"""Reports of upgrades as a table, JSON and Graphviz."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from platelayer.cli.terminal import counted
from platelayer.model.upgrade import HEX, Upgrade, UpgradeGraph

_ALL = 6
_WIDTH = 100
"""The longest line, where words allow it."""
_HOW_TO_READ = "57:03 means 57 turned by 0 or 3 x 60 degrees clockwise, 57:* any way, 57!:0 only by an ability."


def upgrades_text(graph: UpgradeGraph, colours: Mapping[str, str]) -> str:
    """The upgrades with their rotations, one old tile per line, grouped by the colour of the new
    tile; hexes that take the same tiles share a line. `colours` are those of tiles by number."""
    blocks = []
    for colour in dict.fromkeys(colours.values()):
        rows = _rows([pair for pair in graph.pairs if colours[pair.to] == colour])
        if not rows:
            continue
        wide = max(len(old) for old, _ in rows)
        lines = [f"{colour.upper()} tiles may replace"]
        for old, news in rows:
            lines += _wrapped(f"  {old:<{wide}}  ", news, _WIDTH)
        blocks.append("\n".join(lines))
    tiles = sum(not pair.from_hex for pair in graph.pairs)
    hexes = len({pair.source for pair in graph.pairs if pair.from_hex})
    totals = f"{counted(tiles, 'pair')} of tiles, {counted(hexes, 'hex', 'hexes')} that take tiles."
    return "\n\n".join([*blocks, f"{totals}\n{_HOW_TO_READ}"])


def _rows(pairs: Sequence[Upgrade]) -> list[tuple[str, list[str]]]:
    """(old, news) of tiles, then of hexes; hexes with the same news in one row."""
    news: dict[str, list[str]] = {}
    for pair in pairs:
        news.setdefault(pair.source, []).append(_turned(pair))
    tiles = [(old, targets) for old, targets in news.items() if not old.startswith(HEX)]
    hexes: dict[tuple[str, ...], list[str]] = {}
    for old, targets in news.items():
        if old.startswith(HEX):
            hexes.setdefault(tuple(targets), []).append(old.removeprefix(HEX))
    return [*tiles, *((_names(names), list(targets)) for targets, names in hexes.items())]


def _names(names: Sequence[str], most: int = 3) -> str:
    """Hexes in a few words: "hexes A8 A12 A14 and 60 more"."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ("hexes " if len(names) > 1 else "hex ") + " ".join(names[:most]) + more


def _turned(pair: Upgrade) -> str:
    turns = "*" if len(pair.rotations) == _ALL else "".join(map(str, pair.rotations))
    return f"{pair.to}{'!' if pair.via else ''}:{turns}"


def _wrapped(start: str, words: Sequence[str], width: int) -> list[str]:
    """Words after a start, with further lines indented to the first word."""
    lines = [start]
    for word in words:
        if len(lines[-1]) + len(word) > width and len(lines[-1]) > len(start):
            lines.append(" " * len(start))
        lines[-1] += word + "  "
    return [line.rstrip() for line in lines]


def upgrades_dot(graph: UpgradeGraph, colours: Mapping[str, str]) -> str:
    """A Graphviz digraph from left to right, tiles of one colour below each other; edges name the
    rotations. Hexes that take the same tiles are one node."""
    hexes: dict[tuple[tuple[str, tuple[int, ...]], ...], list[str]] = {}
    for source, pairs in graph.by_source.items():
        if source.startswith(HEX):
            key = tuple((pair.to, pair.rotations) for pair in pairs)
            hexes.setdefault(key, []).append(source.removeprefix(HEX))
    lines = [
        f"digraph {_quoted(graph.title)} {{",
        "  rankdir=LR; ranksep=1.2;",
        '  node [shape=hexagon, style=filled, fontname="sans-serif"];',
        '  edge [fontname="sans-serif", fontsize=9];',
    ]
    for colour in dict.fromkeys(colours.values()):
        members = " ".join(
            f"{_quoted(number)};" for number, own in colours.items() if own == colour
        )
        lines.append(
            f"  subgraph {{ rank=same; node [fillcolor={_quoted(_DOT_COLOURS.get(colour, colour))}]; {members} }}"
        )
    for number, (news, names) in enumerate(hexes.items()):
        node = _quoted(f"hexes {number}")
        lines.append(f"  {node} [label={_quoted(_names(names))}, shape=plaintext, style=solid];")
        lines += [
            f"  {node} -> {_quoted(to)} [label={_quoted(_turns(turned))}];" for to, turned in news
        ]
    for pair in graph.tile_pairs:
        style = ", style=dashed" if pair.via else ""
        edge = f"{_quoted(pair.source)} -> {_quoted(pair.to)}"
        lines.append(f"  {edge} [label={_quoted(_turns(pair.rotations))}{style}];")
    return "\n".join([*lines, "}"])


_DOT_COLOURS = {
    "yellow": "#f7d54a",
    "green": "#7db765",
    "brown": "#bd8350",
    "gray": "#b9bab8",
    "purple": "#a988c0",
    "red": "#d9604c",
    "blue": "#8fbcd9",
    "sepia": "#b8a07e",
}


def _turns(turned: Sequence[int]) -> str:
    return "any" if len(turned) == _ALL else " ".join(map(str, turned))


def _quoted(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
