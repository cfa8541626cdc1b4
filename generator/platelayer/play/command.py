"""The command `platelayer supply`."""

from __future__ import annotations

from pathlib import Path

import click

from platelayer.cli.options import TEXT_OR_JSON, output_option, print_options, title_argument
from platelayer.cli.terminal import echo, report, watch


@click.command()
@title_argument()
@print_options("variant")
@click.option("--map", "board", metavar="ID", help="The map.  [default: the title's first]")
@output_option("path", "Also write the report as FILE.pdf (- for standard output).")
@click.option("--paper", default="a4", show_default=True, metavar="PAPER", help="Paper of the PDF.")
@click.option(
    "--witness",
    "board_file",
    type=click.Path(path_type=Path),
    help="Write a board that proves a bound (- for standard output).",
)
@click.option(
    "--bound",
    metavar="NAME",
    help='The bound to prove, e.g. "gray: city".  [default: the tightest]',
)
@click.option(
    "--recorded",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help='Compare with played games: JSON with the most copies of each tile at once ("peak").',
)
@print_options("language", "theme")
@TEXT_OR_JSON
def supply(  # noqa: PLR0917 - click gives options by name
    title: str,
    variant: str | None,
    board: str | None,
    path: Path | None,
    paper: str,
    board_file: Path | None,
    bound: str | None,
    recorded: tuple[Path, ...],
    language: str,
    theme: str,
    form: str,
) -> None:
    """Show which tiles of the box run out, and where track can ever go.

    For each colour and kind of tile: how many hexes can want one at once, and how many can have
    one. The board that proves it is a position: `draw TITLE map --position FILE` draws it.
    """
    from platelayer.definitions.titles import position_text
    from platelayer.foundation.door import real
    from platelayer.pipeline.write import STANDARD_OUTPUT, write_one
    from platelayer.play.report import supply as supply_report

    if path is not None and board_file is not None and real(path) == real(board_file):
        raise click.UsageError(f"--output and --witness both name {path}")
    files = []
    with watch():
        made = supply_report(
            title, variant=variant, board=board, recorded=recorded, language=language
        )
        made.prepare(theme=theme, paper=paper, bound=bound, proves=board_file is not None)
        if board_file is not None:
            files.append((board_file, position_text(made.witness(bound)).encode()))
        if path is not None:
            files.append((path, made.pdf(theme=theme, paper=paper)))
    text = made.json if form == "json" else made.text
    if STANDARD_OUTPUT in (path, board_file):
        echo(text, err=True)
    else:
        report(text, form)
    for place, data in files:
        write_one(place, data, sources=recorded)
        if place != STANDARD_OUTPUT:
            echo(str(place), err=form != "text")
