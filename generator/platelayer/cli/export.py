"""The command `platelayer export`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from platelayer.cli.options import LANGUAGE, MONEY, PLAYERS, SIZES, THEME, VARIANT


@click.command()
@click.argument("title")
@click.option(
    "--to",
    "form",
    required=True,
    metavar="FORMAT",
    help="18xx-games, tile-strings, tabletop-simulator, board18, csv, files or sprites.",
)
@click.option(
    "-o", "--output", "folder", type=click.Path(path_type=Path), help="Folder. Texts go to standard output without."
)
@VARIANT
@click.option("--only", metavar="KIND[:ID],...", help="Only these pieces, e.g. tile, tile:57 or train:*")
@PLAYERS
@MONEY
@SIZES
@LANGUAGE
@THEME
@click.option("--name", metavar="PATTERN", help='Names of files and sprites.  ["{kind}-{id}-{face}"]')
@click.option(
    "--format", "kinds", type=click.Choice(["png", "svg", "pdf"]), multiple=True, help="Kinds of picture.  [png]"
)
@click.option("--dpi", type=click.IntRange(20, 1200), help="Resolution of pictures.  [300]")
@click.option("--base-url", metavar="URL", help="Where you will put the pictures of a save.")
def export(title: str, form: str, folder: Path | None, only: str | None, **given: Any) -> None:
    """Write a title for another program, or its pieces as pictures, into a folder.

    18xx-games: Ruby data files. tile-strings: its tiles in the language of 18xx.games. tabletop-simulator: a save with
    its pictures. board18: a game box. csv: pieces and counts. files: a picture for each face of each piece. sprites:
    sheets of pictures, with JSON that says where each lies.
    """
    from platelayer.cli.terminal import echo, emit, tell
    from platelayer.pipeline.export.run import ExportOptions, export_text, export_title
    from platelayer.pipeline.options import BuildOptions

    own = {name: given.pop(name) for name in ("name", "kinds", "dpi", "base_url")}
    pieces = tuple(filter(None, (only or "").split(",")))
    options = BuildOptions(pieces=pieces, **{name: value for name, value in given.items() if value is not None})
    settings = ExportOptions(**own)
    if folder is None and settings == ExportOptions():
        emit(export_text(title, form, options))
        return
    if folder is None:
        raise click.UsageError("name a folder with -o DIR")
    made = export_title(title, form, folder, options, settings)
    tell(made.problems)
    echo(f"{made.folder}: {len(made.files)} file{'s' * (len(made.files) != 1)}")
