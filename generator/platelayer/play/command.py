"""The commands `platelayer supply`, `routes`, `position lay` and `position moves`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from platelayer.cli.options import (
    TEXT_OR_JSON,
    Command,
    output_option,
    print_options,
    title_argument,
)
from platelayer.cli.terminal import echo, report, watch

_FILE = click.Path(path_type=Path)
position_argument = click.argument("source", metavar="FILE", type=_FILE)


def company_option(default: str) -> Callable[[Command], Command]:
    """Return the option `--company`, whose help describes the default; required if there is
    none."""
    words = f"The company.  [default: {default}]" if default else "The company."
    return click.option("--company", metavar="ID", required=not default, help=words)


def _write(
    files: Sequence[tuple[Path, bytes]], text: str, form: str, sources: Sequence[Path]
) -> None:
    """Print a report and write files. If a file goes to standard output, the report goes to
    standard error."""
    from platelayer.pipeline.write import STANDARD_OUTPUT, write_one

    alone = any(place == STANDARD_OUTPUT for place, _ in files)
    if alone:
        echo(text, err=True)
    else:
        report(text, form)
    for place, data in files:
        write_one(place, data, sources=sources)
        if place != STANDARD_OUTPUT:
            echo(str(place), err=alone or form != "text")


@click.command()
@title_argument()
@print_options("variant")
@click.option("--map", "board", metavar="ID", help="The map.  [default: the title's first]")
@output_option("path", "Also write the report as FILE.pdf (- for standard output).")
@click.option("--paper", default="a4", show_default=True, metavar="PAPER", help="Paper of the PDF.")
@click.option(
    "--witness",
    "board_file",
    type=_FILE,
    help="Write a board that proves a bound (- for standard output).",
)
@click.option(
    "--bound",
    metavar="NAME",
    help='The bound to prove, e.g. "gray: city".  [default: the tightest]',
)
@click.option(
    "--recorded",
    type=_FILE,
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
    _write(files, made.json if form == "json" else made.text, form, recorded)


@click.command()
@title_argument(required=False)
@click.option(
    "--position",
    "position",
    type=_FILE,
    metavar="FILE",
    help="The position, with the trains of its companies.",
)
@company_option("all that have trains in the position")
@click.option(
    "--trains",
    metavar="LIST",
    help="Its trains, in place of those in the position: 3,4 or (of a card of several) c 2+2.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 3600),
    default=2.0,
    show_default=True,
    help="Time to search for the routes of one company.",
)
@click.option(
    "-o",
    "--output",
    "path",
    type=_FILE,
    help="Also draw the map with the routes of the company, as FILE.svg, .png or .pdf; without a company, "
    "print the incomes of all as FILE.pdf.",
)
@click.option(
    "--proof",
    "proof_file",
    type=_FILE,
    help="Also write the proof that the company can earn no more.",
)
@click.option(
    "--verify",
    "proven",
    type=_FILE,
    metavar="FILE",
    help="Verify a proof, and nothing else.",
)
@print_options("variant", "language", "theme")
@TEXT_OR_JSON
def routes(  # noqa: PLR0917 - click gives options by name
    title: str | None,
    position: Path | None,
    company: str | None,
    trains: str | None,
    seconds: float,
    path: Path | None,
    proof_file: Path | None,
    proven: Path | None,
    variant: str | None,
    language: str,
    theme: str,
    form: str,
) -> None:
    """Find the routes that earn the most, with a proof that none earn more.

    Bonuses that the title does not tell are not counted; the report names them.
    """
    from platelayer.definitions.themes import complete_theme
    from platelayer.foundation.door import real
    from platelayer.play.routes import routes as best_routes
    from platelayer.play.routes import verify_proof

    if proven is not None:
        with watch():
            echo(verify_proof(proven))
        return
    if title is None or position is None:
        raise click.UsageError("give a title and --position FILE, or --verify FILE")
    if path is not None and proof_file is not None and real(path) == real(proof_file):
        raise click.UsageError(f"--output and --proof both name {path}")
    files = []
    with watch():
        complete_theme(theme)
        found = best_routes(
            title,
            position,
            company=company,
            trains=[name.strip() for name in trains.split(",")] if trains else (),
            seconds=seconds,
            language=language,
            variant=variant,
        )
        if proof_file is not None:
            files.append((proof_file, found.proof()))
        if path is not None:
            sheet = company is None and path.suffix == ".pdf"
            data = (
                found.pdf(theme=theme) if sheet else found.picture(theme=theme).paint(path.suffix)
            )
            files.append((path, data))
    _write(files, found.json if form == "json" else found.text, form, (position,))


@click.command()
@title_argument()
@position_argument
@click.option("--tile", "number", required=True, metavar="NUMBER", help="The tile.")
@click.option("--at", "hex_id", required=True, metavar="HEX", help="The hex.")
@click.option(
    "--turn",
    type=click.IntRange(0, 5),
    default=0,
    show_default=True,
    help="Its rotation, clockwise in sixths of a turn.",
)
@company_option("connections do not count")
@print_options("variant", "language")
def lay(  # noqa: PLR0917 - click gives options by name
    title: str,
    source: Path,
    number: str,
    hex_id: str,
    turn: int,
    company: str | None,
    variant: str | None,
    language: str,
) -> None:
    """Judge whether a tile may be laid in a position.

    The exit status is 1 if it may not; a line names each rule that it breaks.
    """
    from platelayer.model.position import Lay
    from platelayer.play.routes import table

    with watch():
        here = table(title, source, company=company, language=language, variant=variant)
        verdict = here.judge(hex_id, Lay(number, turn))
    echo(here.verdict_words(verdict))
    if not verdict.legal:
        raise click.exceptions.Exit(1)


@click.command()
@title_argument()
@position_argument
@company_option("")
@print_options("variant", "language")
@TEXT_OR_JSON
def moves(  # noqa: PLR0917 - click gives options by name
    title: str, source: Path, company: str, variant: str | None, language: str, form: str
) -> None:
    """List all tiles that a company may lay in a position, the highest income first.

    The income is what its trains in the position then earn at most.
    """
    from platelayer.play.routes import moves_json, table

    with watch():
        here = table(title, source, company=company, language=language, variant=variant)
        found = here.moves()
    report(moves_json(found) if form == "json" else here.moves_words(found), form)
