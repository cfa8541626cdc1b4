"""Titles from other programs' files."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from platelayer.foundation.ending import Unwinding
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, sort_problems
from platelayer.foundation.suggestions import listed, suggestion
from platelayer.pipeline.write import write_new

if TYPE_CHECKING:
    from platelayer.exchange.imported.title import Imported
    from platelayer.exchange.imported.upgrades import Labels
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

    with ExitStack() as reading:
        try:
            imported = _read(source, folder.name if folder is not None else None, rules, reading)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as stop:
            where = "a value is of a kind that it does not have there"
            raise CannotRun(f"{source} does not follow the form of its program: {where} ({_brief(stop)})") from stop
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


def _brief(stop: Exception) -> str:
    said = " ".join(str(stop).split())
    return said if len(said) <= 200 else f"{said[:197]}..."


def _read(source: Path, name: str | None, rules: Sequence[str], reading: ExitStack) -> Imported:
    """A title that is not yet settled; `reading` is what its source may be asked within."""
    from platelayer.definitions.starter import title_id

    if source.is_dir():
        from platelayer.exchange.eighteen_games.title import default_id, title_from_game
        from platelayer.exchange.imported.pictures import Pictures
        from platelayer.exchange.ruby.game import read_game

        game, allows = reading.enter_context(read_game(source, rules=rules))
        _check_rules(rules, game.data["rules"])
        new_id = title_id(name or default_id(source.resolve().name))
        # A game lies in lib/engine/game, its pictures in public.
        public = source.resolve().parents[min(3, len(source.resolve().parents) - 1)] / "public"
        pictures = Pictures(folders={kind: public / kind for kind in ("logos", "icons")})
        return title_from_game(game, new_id, source=source.name, pictures=pictures, allows=allows)
    if rules:
        raise CannotRun(f"--rule {rules[0]}: {source} has no optional rules; only games of 18xx.games have")
    if not source.exists():
        raise CannotRun(f"there is no {source}; name the folder of a game of 18xx.games, a game file of 18xx-maker, or "
                        "a file of tile strings")  # fmt: skip
    if source.suffix == ".json":
        from platelayer.exchange.maker.title import title_from_file

        return title_from_file(source, title_id(name or source.stem))
    if source.suffix == ".rb":
        raise CannotRun(f"{source} is one file of a game; name its folder, {source.parent}")
    from platelayer.exchange.tiles.lists import title_from_list

    return title_from_list(source, title_id(name or source.stem))


def _check_rules(asked: Sequence[str], rules: Any) -> None:
    """Raises CannotRun for an optional rule that is not among those of a game."""
    own = [rule for rule in rules if isinstance(rule, dict)] if isinstance(rules, list) else []
    known = [rule["sym"] for rule in own if isinstance(rule.get("sym"), str)]
    for name in asked:
        if name not in known:
            told = f'--rule: the game has no optional rule "{name}"; known: {listed(known) or "none"}'
            raise CannotRun("; ".join(filter(None, (told, suggestion(name, known)))))


def settle(imported: Imported, source: str) -> None:
    """Work out what an imported title needs to agree with its source: options of upgrading from its tiles, abilities
    that lay tiles, and waivers of what the source has so. A title that breaks a schema is left as it is."""
    from platelayer.definitions.titles import load_title
    from platelayer.exchange.imported.findings import laid_by_abilities, waivers
    from platelayer.exchange.imported.upgrades import (
        by_the_game,
        late_labels,
        own_grounds,
        stay_as_printed,
        work_out_upgrades,
    )

    with Unwinding(), tempfile.TemporaryDirectory(prefix="platelayer-") as place:

        def load() -> Any:
            for name, data in imported.files(source).items():
                path = Path(place) / name
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(data)
            return load_title(place)

        try:
            loaded = load()
            labels = late_labels(loaded.title)
            _put_labels(imported, labels)
            imported.blocks["upgrades"] = {"grounds": own_grounds(loaded.title)}
            if labels or imported.blocks["upgrades"]["grounds"]:
                loaded = load()
            worked_out = work_out_upgrades(loaded.title, freely=bool(imported.decides))
            _allow(imported, worked_out)
            if worked_out:
                loaded = load()
            if imported.allows is not None:
                added, labels = by_the_game(loaded.title, imported.allows)
                _put_labels(imported, labels)
                _allow(imported, {"added": added})
                if added or labels:
                    loaded = load()
            staying = stay_as_printed(loaded.title)
            if staying:
                _allow(imported, {"never_upgraded": staying})
                named = ", ".join(each.removeprefix("hex:") for each in staying)
                imported.losses.assume(f"No tile of the box fits on {named}: they stay as printed.")
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
            imported.head["waivers"], imported.accepted = waivers(found, imported.decides)
            if not imported.accepted:
                del imported.head["waivers"]
        except ProblemsFound:
            return


def _allow(imported: Imported, options: dict[str, Any]) -> None:
    """Add to the block `upgrades` of an imported title; lists grow, and what is empty goes."""
    block = imported.blocks.setdefault("upgrades", {})
    for key, value in options.items():
        block[key] = [*block.get(key, ()), *value]
    imported.blocks["upgrades"] = {key: value for key, value in block.items() if value}


def _put_labels(imported: Imported, labels: Labels) -> None:
    """Give hexes the labels that apply from a colour on."""
    for (board, printed), texts in labels.items():
        hexagon = imported.maps[board]["hexes"][printed]
        kept = [label for label in hexagon.get("labels", ()) if label not in texts]
        later = [{"text": text, "since": colour} for text, colour in texts.items()]
        imported.maps[board]["hexes"][printed] = hexagon | {"labels": [*kept, *later]}


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
