"""The page docs/where.md: the place in the code of each piece, field, message and command, taken
from the tables that the program itself uses."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import click
from msgspec import Struct

from platelayer.cli.app import cli
from platelayer.definitions.decode import keys_of
from platelayer.drawing import drawer
from platelayer.exchange.export import FORMATS
from platelayer.exchange.importers import IMPORTERS
from platelayer.model.described import DERIVED, unwrapped
from platelayer.model.kinds import KINDS
from platelayer.pipeline.load import known_codes
from platelayer.render.scenes import PAINTERS
from platelayer.rules.rule import all_rules
from schemas import FILES

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "where.md"

INTRODUCTION = """\
# Where is ...?

`make reference` generates this page from the tables in the code. [ARCHITECTURE](../ARCHITECTURE.md) lists what to read
first, [CONTRIBUTING](../CONTRIBUTING.md) what to change for a new rule, field or piece, and [Rules](rules.md) explains each
message.
"""


def page() -> str:
    """Return the text of docs/where.md."""
    sections = {
        "A piece and its drawer": _table(("kind", "listed by", "front", "back"), _pieces()),
        "A field of the format and its struct": _table(("schema", "struct", "keys"), _fields()),
        "A message and the code that reports it": _table(("code", "name", "reported by"), _codes()),
        "A command and its function": _table(("command", "function"), _commands()),
        "An importer, an exporter, a painter": _table(("name", "function"), _formats()),
        "Data": _table(("subject", "file"), _DATA),
    }
    contents = "\n".join(
        f"- [{title}](#{re.sub('[^a-z -]', '', title.lower()).replace(' ', '-')})"
        for title in sections
    )
    tables = "\n".join(f"## {title}\n\n{table}" for title, table in sections.items())
    return f"{INTRODUCTION}\n{contents}\n\n{tables}"


_DATA = (
    ("titles", "[assets/titles](../assets/titles)"),
    ("tile catalogue", "[assets/tiles](../assets/tiles)"),
    ("colours of everything drawn", "[assets/themes](../assets/themes)"),
    ("shapes of terrain symbols, icons and locomotives", "[assets/art](../assets/art)"),
    ("liveries and ornaments", "[assets/liveries.json](../assets/liveries.json)"),
    ("fixed words, by language", "[assets/languages](../assets/languages)"),
    ("layouts of sheets", "[assets/sheets](../assets/sheets)"),
    ("printers, shops and their limits", "[assets/profiles](../assets/profiles)"),
)


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (heads, ("---",) * len(heads), *rows)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _link(path: Path, text: str) -> str:
    inner = path.relative_to(ROOT / "generator" / "platelayer").as_posix()
    return f"[{text}{inner}](../{path.relative_to(ROOT).as_posix()})"


def _place(thing: Any) -> str:
    """Return the name of a function or struct with a link to its file; of a lambda, those of the
    first function that it calls."""
    if getattr(thing, "__name__", "") == "<lambda>":
        thing = _called(thing)
    thing = inspect.unwrap(thing)
    name = thing.__qualname__.partition(".<locals>")[0]
    return _link(Path(inspect.getfile(thing)), f"`{name}` in ")


def _called(function: Callable[..., Any]) -> Any:
    found: Any = None
    for name in function.__code__.co_names:
        found = getattr(found, name, None) or function.__globals__.get(name)
        if inspect.isfunction(found):
            return found
    raise ValueError(f"{function} calls no function of its module's")


def _pieces() -> Iterator[tuple[str, ...]]:
    for name, kind in KINDS.items():
        back = _place(drawer(kind.back)) if kind.back else ""
        yield f"`{name}`", _place(kind.pieces), _place(drawer(kind.front or kind.pages)), back


def _fields() -> Iterator[tuple[str, ...]]:
    """Rows of structs in the order in which the schemas reach them, each once."""
    seen: set[type[Struct]] = set()
    for schema, file in FILES.items():
        for kind in _structs(file.described):
            if kind not in seen:
                seen.add(kind)
                keys = ", ".join(f"`{key}`" for key, _ in keys_of(kind))
                link = f"[{schema}](../schemas/{schema}.schema.json)"
                yield link, _place(kind), keys


def _structs(described: Any) -> Iterator[type[Struct]]:
    """Yield the structs that a described type holds, without those that no key leads to."""
    found: dict[type[Struct], None] = {}
    waiting = [described]
    while waiting:
        plain, marks, _ = unwrapped(waiting.pop())
        if DERIVED in marks:
            continue
        waiting += get_args(plain)
        if not isinstance(plain, type) or not issubclass(plain, Struct) or plain in found:
            continue
        if plain.__module__.startswith(
            "platelayer.model"
        ):  # others are written in a form of their own
            found[plain] = None
            waiting += [kind for _, kind in reversed([*keys_of(plain)])]
    yield from found


def _codes() -> Iterator[tuple[str, ...]]:
    rules, reporters = all_rules(), _reporters()
    for code, known in known_codes().items():
        links = [_link(path, "") for path in reporters.get(code, ())]
        yield code, known.name, _place(rules[code].body) if code in rules else ", ".join(links)


def _reporters() -> dict[str, list[Path]]:
    """Return the modules that make problems of each code: those that have it in quotes, other than
    as the key of a table."""
    found: dict[str, list[Path]] = {}
    for path in sorted((ROOT / "generator" / "platelayer").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for code in set(re.findall(r'(?<!: )"([A-Z]{2}[0-9]{2})"(?!: Code\b)', text)):
            found.setdefault(code, []).append(path)
    return found


def _commands() -> Iterator[tuple[str, ...]]:
    def walk(group: click.Group, words: str) -> Iterator[tuple[str, ...]]:
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if isinstance(command, click.Group):
                yield from walk(command, f"{words} {name}")
            elif command is not None:
                callback: Callable[..., Any] | None = command.callback
                yield f"`{words} {name}`", _place(callback)

    return walk(cli, "platelayer")


def _formats() -> Iterator[tuple[str, ...]]:
    tables = (
        ("import from", {importer.name: importer.read for importer in IMPORTERS}),
        ("export to", {name: form.files for name, form in FORMATS.items()}),
        ("paint as", PAINTERS),
    )
    for verb, table in tables:
        for name, function in table.items():
            yield f"{verb} `{name}`", _place(function)


def main() -> None:
    """Write docs/where.md."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
