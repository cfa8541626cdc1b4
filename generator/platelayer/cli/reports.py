"""Reports as text, JSON, SARIF and GitHub workflow commands.

Sources: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", whose sections
are named below; docs.github.com, "Workflow commands for GitHub Actions" (what is escaped, and how:
actions/toolkit, packages/core/src/command.ts).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, Literal
from urllib.parse import quote

import click
from msgspec import Struct, to_builtins

from platelayer import __version__
from platelayer.cli.terminal import SEVERITY_COLOURS, styled_problem
from platelayer.foundation.problems import Code, Problem, Severity
from platelayer.foundation.text import counted
from platelayer.foundation.values import Json
from platelayer.imposition.paper import Medium
from platelayer.model.manifest import Manifest
from platelayer.model.tile import HEX, Upgrade, UpgradeGraph
from platelayer.pipeline.load import upgrades_json

# Reports of upgrades as a table, JSON and Graphviz.


_ALL = 6
# Maximum line length, where lines can be broken.
_WIDTH = 100
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
            start = f"  {old:<{wide}}  "
            lines += wrap(
                "  ".join(news),
                _WIDTH,
                initial_indent=start,
                subsequent_indent=" " * len(start),
                break_long_words=False,
                break_on_hyphens=False,
            )
        blocks.append("\n".join(lines))
    tiles = sum(not pair.from_hex for pair in graph.pairs)
    hexes = len({pair.source for pair in graph.pairs if pair.from_hex})
    totals = f"{counted(tiles, 'pair')} of tiles, {counted(hexes, 'hex', 'hexes')} that take tiles."
    return "\n\n".join([*blocks, f"{totals}\n{_HOW_TO_READ}"])


def _rows(pairs: Sequence[Upgrade]) -> list[tuple[str, list[str]]]:
    """(old, news) of tiles, then of hexes; hexes with the same news in one row."""
    news: dict[str, list[str]] = {}
    for pair in pairs:
        turns = "*" if len(pair.rotations) == _ALL else "".join(map(str, pair.rotations))
        news.setdefault(pair.source, []).append(f"{pair.to}{'!' if pair.via else ''}:{turns}")
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


Format = Literal["text", "json"]
CheckFormat = Literal["text", "json", "sarif", "github"]
UpgradesFormat = Literal["text", "json", "svg", "dot"]


class CheckReport(Struct, frozen=True, kw_only=True):
    """Result of a check: the problems in reporting order, the number of things checked (`what`:
    titles, files), and all codes (only SARIF needs them)."""

    problems: Sequence[Problem]
    checked: int
    codes: Callable[[], Mapping[str, Code]]
    what: str = "title"

    @property
    def totals(self) -> dict[str, int]:
        """Counts by the word for each severity, the most serious first."""
        return {
            level.word: sum(problem.severity is level for problem in self.problems)
            for level in reversed(Severity)
        }

    @property
    def summary(self) -> str:
        """One line: what was checked, and how many problems of each severity there are."""
        totals = (
            ", ".join(counted(number, word) for word, number in self.totals.items() if number)
            or "no problems"
        )
        return f"{counted(self.checked, self.what)} checked: {totals}"


def report_check(report: CheckReport, form: CheckFormat) -> str:
    """A check as text with styles (which `click.echo` removes where they cannot be shown), JSON,
    SARIF 2.1.0 or GitHub workflow commands."""
    match form:
        case "text":
            worst = max((problem.severity for problem in report.problems), default=None)
            colour = "green" if worst is None else SEVERITY_COLOURS[worst]
            summary = click.style(report.summary, fg=colour)
            return "\n".join([*map(styled_problem, report.problems), summary])
        case "json":
            problems = [problem.as_json for problem in report.problems]
            found = {"checked": report.checked, "problems": problems, "totals": report.totals}
            return _json(found)
        case "sarif":
            return _json(sarif_log(report.problems, report.codes()))
        case "github":
            return "\n".join([*github_lines(report.problems), report.summary])


def report_titles(rows: Sequence[Json], form: Format) -> str:
    """Shipped titles, one per line: id, name, players, subtitle; below each its variants: id,
    players, name."""
    if form == "json":
        return _json({"titles": list(rows)})
    wide = max(len(row["id"]) for row in rows)
    lines = []
    for row in rows:
        lines.append(
            f"{row['id']:<{wide}}  {row['name']}, {row['players']} players. {row['subtitle']}"
        )
        longest = max((len(variant["id"]) for variant in row["variants"]), default=0)
        lines += (
            f"    --variant {variant['id']:<{longest}}  {variant['players']:>3} players  {variant['name']}"
            for variant in row["variants"]
        )
    return "\n".join(lines)


def report_media(media: Sequence[Medium], form: Format) -> str:
    """Media in a table: id, kind, size or places, name; in JSON with all that the catalogue says."""
    if form == "json":
        entries = []
        for medium in media:
            entry = to_builtins(medium)
            entry["name"] = medium.name.get("en")
            entries.append({key: value for key, value in entry.items() if value})
        return _json({"media": entries})
    rows = []
    for medium in media:
        measures = ""
        if medium.size_mm:
            measures = f"{medium.size_mm[0]:g} x {medium.size_mm[1]:g} mm"
        elif places := medium.places:
            size = f"{places.size_mm[0]:g} x {places.size_mm[1]:g} mm"
            measures = f"{places.count} of {size} on {places.paper}"
        elif cutter := medium.cutter:
            measures = f"{cutter.marks} marks: length {cutter.arm_mm:g}, "
            measures += f"thickness {cutter.thick_mm:g}, inset {cutter.inset_mm:g} mm"
        equal = f" (also {', '.join(medium.equal)})" if medium.equal else ""
        rows.append((medium.id, medium.kind, measures, f"{medium.name.get('en')}{equal}"))
    wide = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        "  ".join((*(f"{cell:<{width}}" for cell, width in zip(row, wide, strict=False)), row[3]))
        for row in rows
    )


def report_manifest(manifest: Manifest, form: Format, language: str) -> str:
    """Every piece with its count, then the totals; JSON by the contract in docs/formats.md."""
    pieces = [
        {
            "kind": piece.kind,
            "id": piece.id,
            "name": piece.name.get(language),
            "count": piece.count,
            **({"group": piece.group} if piece.group else {}),
            **({"unlimited": True} if piece.unlimited else {}),
        }
        for piece in manifest.pieces
    ]
    if form == "json":
        return _json(
            {
                "title": manifest.title,
                "variant": manifest.variant,
                "pieces": pieces,
                "totals": manifest.totals,
            }
        )
    lines = [
        f"{piece['count']:>4}  {piece['kind']}:{piece['id']}  {piece['name']}"
        + ("  (unlimited in the game)" if "unlimited" in piece else "")
        for piece in pieces
    ]
    totals = [f"{count:>4}  {key}" for key, count in manifest.totals.items()]
    return "\n".join([*lines, "", *totals])


def report_upgrades(graph: UpgradeGraph, colours: Mapping[str, str], form: UpgradesFormat) -> str:
    """The graph of upgrades as a table, JSON or Graphviz; `colours` are those of the tiles by
    number."""
    if form == "json":
        return upgrades_json(graph)
    return upgrades_dot(graph, colours) if form == "dot" else upgrades_text(graph, colours)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


# SARIF, for code scanning services and editors.

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_log(problems: Sequence[Problem], codes: Mapping[str, Code]) -> Json:
    """A log of one run (3.13, 3.14): every code as a rule, every problem as a result."""
    rank = {code: index for index, code in enumerate(codes)}
    driver = {
        "name": "platelayer",
        "version": __version__,
        "rules": [_rule(*item) for item in codes.items()],
    }
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(problem, rank) for problem in problems],
            }
        ],
    }


def _rule(name: str, code: Code) -> Json:
    """A reportingDescriptor (3.49)."""
    return {
        "id": name,
        "name": "".join(
            word[:1].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", code.name)
        ),
        "shortDescription": {"text": code.name},
        "help": {"text": code.explanation},
    }


def _result(problem: Problem, rank: Mapping[str, int]) -> Json:
    """A result (3.27)."""
    result: Json = {"ruleId": problem.code}
    if problem.code in rank:
        result["ruleIndex"] = rank[problem.code]
    result |= {"level": problem.severity.word, "message": {"text": problem.words}}
    return result | ({"locations": [_location(problem)]} if problem.file else {})


def _location(problem: Problem) -> Json:
    """A location (3.28) with its region (3.30); lines and columns count from 1 there too."""
    physical: Json = {"artifactLocation": {"uri": file_uri(problem.file)}}
    if problem.line:
        physical["region"] = {"startLine": problem.line, "startColumn": problem.column}
    logical = (
        {"logicalLocations": [{"fullyQualifiedName": problem.pointer}]} if problem.pointer else {}
    )
    return {"physicalLocation": physical, **logical}


# GitHub workflow commands, shown next to the lines of a change.

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def github_lines(problems: Iterable[Problem]) -> tuple[str, ...]:
    """One command per problem: `::error
    file=titles/x/map.json,line=3,col=5,title=RF07::message`."""
    return tuple(map(_command, problems))


def _command(problem: Problem) -> str:
    properties: dict[str, str | int] = {}
    if problem.file:
        properties["file"] = relative_path(problem.file)
    if problem.line:
        properties |= {"line": problem.line, "col": problem.column}
    properties["title"] = problem.code
    pairs = ",".join(
        f"{name}={str(value).translate(_IN_PROPERTIES)}" for name, value in properties.items()
    )
    return f"::{_COMMANDS[problem.severity]} {pairs}::{problem.words.translate(_IN_DATA)}"


def relative_path(file: str) -> str:
    """A file as a path with "/", relative to the working folder if it is inside it, else
    absolute."""
    here = Path.cwd()
    # Not resolved, so that a link keeps the name that the user gave.
    path = Path(os.path.normpath(here / file))
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else path.as_posix()


def file_uri(file: str) -> str:
    """A file as a URI reference (RFC 3986): relative if it is inside the working folder, else
    `file:///...`."""
    path = relative_path(file)
    if Path(path).is_absolute():
        return Path(path).as_uri()
    # A path whose first part contains a colon looks like a scheme, so write "./a:b".
    return quote(path) if ":" not in path.partition("/")[0] else "./" + quote(path)
