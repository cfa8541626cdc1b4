"""The commands `platelayer import`, `platelayer export` and `platelayer position ...`."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from platelayer.cli.options import completed, listed, output_option, print_options, title_argument
from platelayer.cli.terminal import echo, echo_problems, emit, exit_after, watch
from platelayer.foundation.problems import Severity
from platelayer.foundation.text import counted

if TYPE_CHECKING:
    from platelayer.exchange.importers import Import


class _Listing(click.Command):
    """Command whose help lists the records to choose from, with names and descriptions; the records
    are read only for the help."""

    def __init__(
        self, heading: str, records: Callable[[], list[tuple[str, str]]], **given: Any
    ) -> None:
        super().__init__(**given)
        self._heading, self._records = heading, records

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's help text, then the list of records."""
        super().format_help_text(ctx, formatter)
        with formatter.section(self._heading):
            formatter.write_dl(self._records())


def _sources() -> list[tuple[str, str]]:
    from platelayer.exchange.importers import IMPORTERS

    return [(importer.name, importer.source) for importer in IMPORTERS]


def _formats() -> list[tuple[str, str]]:
    from platelayer.exchange.export import FORMATS

    return [(name, form.says) for name, form in FORMATS.items()]


@click.command("import", cls=_Listing, heading="Sources", records=_sources)
@click.argument("source", type=click.Path(path_type=Path))
@output_option("folder", "New folder.  [default: the title's id]")
@click.option(
    "--rule", "rules", multiple=True, metavar="NAME", help="Apply an optional rule of the game."
)
def import_game(source: Path, folder: Path | None, rules: tuple[str, ...]) -> None:
    """Import a game from another program into a new folder.

    import-report.md in that folder lists what could not be imported.
    """
    from platelayer.exchange.importers import import_title

    with watch():
        imported = import_title(source, folder, rules=rules)
    echo_problems(problem for problem in imported.problems if problem.severity.word == "error")
    echo(_report(imported))
    exit_after(imported.problems)


def _report(imported: Import) -> str:
    """Return the summary of an import: files, losses, and the next step."""
    folder = imported.folder
    lines = [f"{folder}: {counted(len(imported.files), 'file')}"]
    counts = [
        (imported.lost, "detail", "not imported"),
        (imported.unread, "value", "that could not be read"),
        (imported.waived, "finding", "accepted because the source has it so"),
    ]
    lines += [f"{counted(number, what)} {how}" for number, what, how in counts if number]
    warnings = sum(problem.severity is Severity.WARNING for problem in imported.problems)
    if warnings:
        lines.append(counted(warnings, "warning"))
    return "\n".join(
        [
            *lines,
            f"Read {folder / 'import-report.md'}, then: platelayer check {shlex.quote(str(folder))}",
        ]
    )


@click.command(cls=_Listing, heading="Formats", records=_formats)
@title_argument()
@click.option(
    "--to",
    "form",
    required=True,
    metavar="FORMAT",
    shell_complete=completed("export_format"),
    help="One of the formats above.",
)
@output_option("folder", "Output folder.  [default: standard output (also -), for texts]")
@print_options("variant")
@click.option(
    "--only",
    "pieces",
    metavar="KIND[:ID],...",
    shell_complete=completed("pieces"),
    callback=listed,
    help="Only these pieces, e.g. tile, tile:57 or train:*",
)
@print_options("players", "money", "sizes", "language", "theme")
@click.option(
    "--name", metavar="PATTERN", help='Names of files and sprites.  [default: "{kind}-{id}-{face}"]'
)
@click.option(
    "--format",
    "kinds",
    type=click.Choice(["png", "svg", "pdf"]),
    multiple=True,
    help="Picture formats.  [default: png]",
)
@click.option(
    "--dpi", type=click.IntRange(20, 1200), help="Resolution of pictures.  [default: 300]"
)
@click.option(
    "--base-url", metavar="URL", help="Address at which you will publish the pictures of a save."
)
def export(title: str, form: str, folder: Path | None, **given: Any) -> None:
    """Write a title for another program, or its pieces as pictures, into a folder."""
    from platelayer.exchange.export import ExportOptions, export_text, export_title
    from platelayer.foundation.pool import available_processes
    from platelayer.pipeline.job import BuildOptions

    own = {name: given.pop(name) for name in ("name", "kinds", "dpi", "base_url")}
    options = BuildOptions(**given)
    settings = ExportOptions(**own)
    if folder == Path("-"):
        folder = None
    if folder is None and settings == ExportOptions():
        emit(export_text(title, form, options))
        return
    if folder is None:
        raise click.UsageError("name a folder with -o DIR")
    with watch() as progress:
        made = export_title(
            title,
            form,
            folder,
            options,
            settings,
            processes=available_processes(),
            progress=progress,
        )
    echo_problems(made.problems)
    echo(f"{made.folder}: {counted(len(made.files), 'file')}")


@click.group()
def position() -> None:
    """Work with positions: tiles and tokens on the map of a game in play.

    `draw TITLE map --position FILE` draws one, `build TITLE --position FILE` prints it, `check
    FILE` checks it, `routes TITLE --position FILE` finds the best routes.
    """


@position.command("import")
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--title",
    "title",
    metavar="TITLE",
    help="The title being played.  [default: the shipped title of that name]",
)
@print_options("variant")
@click.option(
    "--at",
    type=click.IntRange(0),
    metavar="N",
    help="The position after action N.  [default: the last]",
)
@output_option("path", "FILE.json.  [default: standard output (also -)]")
def import_position_file(
    source: Path, title: str | None, variant: str | None, at: int | None, path: Path | None
) -> None:
    """Make a position from a game file of 18xx.games.

    It has the tiles, the tokens, the homes of companies that have operated, and the phase of the
    trains bought or run. Facts that the file lacks, and tiles or tokens that are impossible,
    are listed and left out.
    """
    from platelayer.exchange.eighteen_games.positions import import_position
    from platelayer.pipeline.write import write_all

    if variant is not None and title is None:
        raise click.UsageError("--variant needs --title")
    imported = import_position(source, title, variant=variant, at=at)
    for line in imported.untold:
        echo(f"not told: {line}", err=True)
    if path is None or path == Path("-"):
        emit(imported.text)
        return
    write_all(path.parent, {path.name: imported.text.encode()}, sources=[source])
    tiles, tokens = (
        len(imported.position.tiles),
        sum(len(stations) for _, stations in imported.position.tokens),
    )
    echo(f"{path}: {counted(tiles, 'tile')}, {counted(tokens, 'token')}")
