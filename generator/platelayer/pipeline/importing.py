"""Titles from other programs' files."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, sort_problems
from platelayer.pipeline.write import write_new

if TYPE_CHECKING:
    from platelayer.exchange.titles import Imported
    from platelayer.model.title import Title


class Import(Struct, frozen=True, kw_only=True):
    """What an import wrote: the folder, its files, how much was lost, and what `check` finds."""

    folder: Path
    files: tuple[str, ...]
    lost: int
    unread: int
    waived: int
    problems: tuple[Problem, ...]


def import_title(source: Path, folder: Path | None = None, *, rules: Sequence[str] = ()) -> Import:
    """Read another program's game and write it as a title into an empty or new folder (by default one with the name of
    the title, here): the folder of a game of 18xx.games, a game file of 18xx-maker, or a text file of tile strings.
    `rules` are optional rules of 18xx.games to read it with.

    Raises CannotRun for what is none of these.
    """
    from platelayer.definitions.starter import schema_files

    try:
        imported = _read(source, folder.name if folder is not None else None, rules)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as stop:
        where = "a value is of a kind that it does not have there"
        raise CannotRun(f"{source} does not follow the form of its program: {where} ({stop})") from stop
    into = folder if folder is not None else Path(str(imported.head["id"]))
    settle(imported, source.name)
    files = imported.files(source.name)
    write_new(into, files | schema_files())
    return Import(
        folder=into,
        files=tuple(files),
        lost=imported.losses.count,
        unread=len(imported.losses.unread),
        waived=len(imported.accepted),
        problems=_problems(into),
    )


def _read(source: Path, name: str | None, rules: Sequence[str]) -> Imported:
    from platelayer.definitions.starter import title_id

    if source.is_dir():
        from platelayer.exchange.eighteen_games.title import default_id, title_from_game
        from platelayer.exchange.pictures import Pictures
        from platelayer.exchange.ruby.game import read_game

        game = read_game(source, rules=rules)
        new_id = title_id(name or default_id(source.resolve().name))
        # A game lies in lib/engine/game, its pictures in public.
        public = source.resolve().parents[min(3, len(source.resolve().parents) - 1)] / "public"
        pictures = Pictures(folders={kind: public / kind for kind in ("logos", "icons")})
        return title_from_game(game, new_id, source=source.name, pictures=pictures)
    if not source.exists():
        raise CannotRun(f"there is no {source}; name the folder of a game of 18xx.games, a game file of 18xx-maker, or "
                        "a file of tile strings")  # fmt: skip
    if source.suffix == ".json":
        from platelayer.exchange.maker.title import title_from_file

        return title_from_file(source, title_id(name or source.stem))
    if source.suffix == ".rb":
        raise CannotRun(f"{source} is one file of a game; name its folder, {source.parent}")
    from platelayer.exchange.tile_lists import title_from_list

    return title_from_list(source, title_id(name or source.stem))


def settle(imported: Imported, source: str) -> None:
    """Work out what an imported title needs to agree with its source: options of upgrading from its tiles, abilities
    that lay tiles, and waivers of what the source has so. A title that breaks a schema is left as it is."""
    from platelayer.definitions.titles import load_title
    from platelayer.exchange.findings import laid_by_abilities, waivers
    from platelayer.exchange.upgrades import work_out_upgrades

    with tempfile.TemporaryDirectory(prefix="platelayer-") as place:

        def load() -> Any:
            for name, data in imported.files(source).items():
                path = Path(place) / name
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(data)
            return load_title(place)

        try:
            loaded = load()
            upgrades = work_out_upgrades(loaded.title, freely=bool(imported.decides))
            if upgrades:
                imported.blocks["upgrades"] = upgrades
                loaded = load()
            found = _findings(loaded.title)
            colours = {entry.tile.id: entry.tile.colour for entry in loaded.title.tiles}
            laid = laid_by_abilities(found, imported.laying, colours)
            if laid:
                for number, whose in laid.items():
                    entry = imported.blocks["tiles"][number]
                    whole = entry if isinstance(entry, dict) else {"count": entry}
                    tile = {key: whole[key] for key in ("tile",) if key in whole}
                    rest = {key: value for key, value in whole.items() if key not in tile}
                    imported.blocks["tiles"][number] = {**rest, "via": whose, **tile}
                loaded = load()
                found = _findings(loaded.title)
            imported.head["waivers"], imported.accepted = waivers(found)
            if not imported.accepted:
                del imported.head["waivers"]
        except ProblemsFound:
            return


def _problems(folder: Path) -> tuple[Problem, ...]:
    """What is wrong with a title: of its definition, and by the rules."""
    from platelayer.definitions.titles import load_title

    try:
        loaded = load_title(folder)
    except ProblemsFound as stop:
        return stop.problems
    return sort_problems([*loaded.problems, *(each.located(loaded.place) for each in _findings(loaded.title))])


def _findings(title: Title) -> list[Problem]:
    """What the rules find but those of sizes, for which pieces are drawn, and of waivers: every finding, however many
    are alike."""
    from platelayer.rules.run import UNKNOWN, UNUSED, all_rules, judge_by
    from platelayer.rules.size_rules import SIZE_RULES

    return judge_by(title, [code for code in all_rules() if code not in (UNUSED, UNKNOWN, *SIZE_RULES)])
