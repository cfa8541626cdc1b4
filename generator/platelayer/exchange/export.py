"""Exports by their formats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from platelayer.exchange.writers import texts
from platelayer.exchange.writers.board18 import box_files
from platelayer.exchange.writers.page import page_files
from platelayer.exchange.writers.pictures import (
    Choice,
    PictureOptions,
    chosen,
    piece_files,
    sprite_files,
)
from platelayer.exchange.writers.simulator import simulator_files
from platelayer.foundation.problems import CannotRun, Problem
from platelayer.foundation.suggestions import suggestion
from platelayer.pipeline.load import Reference
from platelayer.pipeline.options import BuildOptions
from platelayer.pipeline.write import write_all


class ExportOptions(Struct, frozen=True, kw_only=True):
    """What an export is to be like; None and empty: as the format has it. `name` is the pattern of
    file names, `kinds` are kinds of picture (png, svg, pdf), `base_url` is where the pictures of a
    save will lie."""

    name: str | None = None
    kinds: tuple[str, ...] = ()
    dpi: int | None = None
    base_url: str | None = None


class Format(Struct, frozen=True, kw_only=True):
    """A format: what it is in words, what makes its files of a choice of pieces, which of
    ExportOptions it heeds, and what makes a text of it for standard output. Of a `whole` title no
    pieces can be chosen."""

    says: str
    files: Callable[[Choice, ExportOptions], dict[str, bytes]]
    heeds: tuple[str, ...] = ()
    text: Callable[[Choice], str] | None = None
    whole: bool = False


def _pictures(options: ExportOptions) -> PictureOptions:
    given = {"name": options.name, "kinds": options.kinds, "dpi": options.dpi}
    return replace(PictureOptions(), **{key: value for key, value in given.items() if value})


FORMATS: dict[str, Format] = {
    "18xx-games": Format(
        says="Ruby data files for 18xx.games",
        files=lambda choice, _: texts.ruby_files(choice),
        whole=True,
    ),
    "tile-strings": Format(
        says="tiles in the language of 18xx.games",
        files=lambda choice, _: texts.string_files(choice),
        text=texts.string_text,
    ),
    "tabletop-simulator": Format(
        says="a save with its pictures",
        files=lambda choice, options: simulator_files(choice, options.base_url, options.dpi or 300),
        heeds=("base_url", "dpi"),
    ),
    "board18": Format(says="a game box", files=lambda choice, _: box_files(choice)),
    "csv": Format(
        says="pieces and counts",
        files=lambda choice, _: texts.table_file(choice),
        text=texts.table_text,
    ),
    "bookkeeping": Format(
        says="a spreadsheet that keeps the books of a game",
        files=lambda choice, _: texts.books_file(choice),
        whole=True,
    ),
    "files": Format(
        says="a picture for each face of each piece",
        files=lambda choice, options: piece_files(choice, _pictures(options)),
        heeds=("name", "kinds", "dpi"),
    ),
    "sprites": Format(
        says="sheets of pictures, with JSON that says where each lies",
        files=lambda choice, options: sprite_files(choice, _pictures(options)),
        heeds=("name", "dpi"),
    ),
    "page": Format(
        says="a web page that shows the title and its pieces",
        files=lambda choice, _: page_files(choice),
    ),
}
"""What a title can be exported to, by the name you type."""


class Export(Struct, frozen=True, kw_only=True):
    """What an export wrote: the folder and the files in it; the problems of the definition that did
    not stop it."""

    folder: Path
    files: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


def export_title(
    reference: Reference,
    form: str,
    folder: Path,
    build: BuildOptions | None = None,
    options: ExportOptions | None = None,
) -> Export:
    """Write a title in a format into a folder, all of it or nothing. Of an earlier export into it,
    files of the same names are replaced, and what else is there stays.

    Raises CannotRun for an unknown format, an option that it does not heed, and a title that it
    cannot hold, ProblemsFound for a definition with errors.
    """
    build, options = build or BuildOptions(), options or ExportOptions()
    writer = _format(form, build, options)
    choice = chosen(reference, build)
    files = writer.files(choice, options)
    write_all(folder, files)
    return Export(folder=folder, files=tuple(files), problems=choice.problems)


def export_text(reference: Reference, form: str, build: BuildOptions) -> str:
    """A title as one text. Raises as `export_title` does, and CannotRun for a format that is more
    than a text."""
    writer = _format(form, build, ExportOptions())
    if writer.text is None:
        raise CannotRun(f"{form} makes files: name a folder for them")
    return writer.text(chosen(reference, build))


def _format(form: str, build: BuildOptions, options: ExportOptions) -> Format:
    if form not in FORMATS:
        hint = suggestion(form, FORMATS) or f"formats are {', '.join(FORMATS)}"
        raise CannotRun(f"there is no format {form!r}; {hint}")
    writer = FORMATS[form]
    if writer.whole and (build.pieces or build.players or build.sizes or build.money):
        raise CannotRun(
            f"{form} is of a whole title: pieces, players, sizes and money do nothing for it"
        )
    for field in ExportOptions.__struct_fields__:
        if getattr(options, field) not in (None, ()) and field not in writer.heeds:
            users = [name for name, other in FORMATS.items() if field in other.heeds]
            raise CannotRun(f"{field} does nothing for {form}; it is for {' and '.join(users)}")
    return writer
