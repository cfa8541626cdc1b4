"""The commands `platelayer build` and `platelayer calibrate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from platelayer.cli.options import (
    NO_CACHE,
    TEXT_OR_JSON,
    completed,
    listed,
    output_option,
    print_options,
    title_argument,
)
from platelayer.foundation.suggestions import counted
from platelayer.model.options import OPTIONS

if TYPE_CHECKING:
    from platelayer.cli.reports import Format


@click.command()
@title_argument()
@output_option("folder", "Output folder.", default=Path("output"), show_default=True)
@print_options(*(name for name, option in OPTIONS.items() if option.switches), by_profile=True)
@NO_CACHE
def build(title: str, folder: Path, no_cache: bool, **given: Any) -> None:
    """Print a title: PDF files and manifest.json into OUTPUT/<title>/.

    A title with errors is not printed. With --draft, everything that can be printed is printed,
    and the exit status is still 1.
    """
    from platelayer.cli.terminal import echo, echo_problems, exit_after, watch
    from platelayer.foundation.cache import user_cache
    from platelayer.foundation.pool import available_processes
    from platelayer.pipeline.build import build as build_title
    from platelayer.pipeline.build import read_options

    options = read_options(given.pop("profile"), given)
    with watch() as progress:
        cache = None if no_cache else user_cache()
        pack = build_title(
            title, options, progress=progress, processes=available_processes(), cache=cache
        )
        paths = pack.write(folder)
    echo_problems(pack.problems)
    for change in pack.changes:
        if change.to_throw_away:
            echo(f"throw away {change.to_throw_away} x {change.key} ({change.what})")
    if options.since and not pack.changes:
        echo("nothing has changed")
    numbers = (len(paths), "file"), (pack.pages, "page"), (pack.pieces, "piece")
    echo(f"{folder / pack.title}: {', '.join(counted(*number) for number in numbers)}")
    if options.draft:
        echo(f"draft: the problems are listed in {folder / pack.title / 'findings.pdf'}")
        exit_after(pack.problems)


@click.command()
@output_option("path", "FILE.pdf, or - for standard output", required=True)
@print_options("paper", "margin_mm")
@click.option(
    "--duplex",
    type=click.Choice(["long", "short"]),
    default="long",
    show_default=True,
    help="As for build.",
)
@click.option(
    "--lang",
    "language",
    metavar="CODE",
    default="en",
    show_default=True,
    help="Language of the page.",
)
def calibrate(path: Path, **given: Any) -> None:
    """Print a page to measure --offset, --back-offset, --scale-x and --scale-y for your printer."""
    from platelayer.cli.terminal import echo_written
    from platelayer.pipeline.box import write_calibration

    write_calibration(path, **given)
    echo_written(path)


@click.command()
@title_argument()
@output_option("path", "FILE.pdf, or - for standard output", required=True)
@click.option(
    "--form",
    type=click.Choice(["tuckbox", "two-piece"]),
    default="tuckbox",
    show_default=True,
    help="Kind of box.",
)
@click.option(
    "--only",
    metavar="KIND,...",
    callback=listed,
    help="Contents of the box.  [default: cards in a tuckbox, else everything]",
)
@click.option(
    "--without", metavar="KIND,...", callback=listed, help="Kinds of piece to leave out of the box."
)
@click.option(
    "--paper",
    metavar="PAPER",
    help="Sheets to print on; larger boxes come in parts.  [default: as large as each box]",
)
@print_options(
    "margin_mm", "variant", "players", "sizes", "color", "spot_name", "language", "theme"
)
def box(title: str, path: Path, form: str, paper: str | None, **given: Any) -> None:
    """Print boxes to cut out and fold, sized to hold the pieces of a title: a tuckbox for every 60
    cards, or a lid and a tray for everything."""
    from platelayer.cli.terminal import echo_written
    from platelayer.pipeline.box import write_box
    from platelayer.pipeline.build import read_options

    words = write_box(title, path, read_options(None, given), form=form, paper=paper)
    echo_written(path, words.removeprefix("-: "))


# The `platelayer preflight` command.


@click.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE.pdf...", type=click.Path(path_type=Path)
)
@click.option(
    "--profile",
    default="home",
    show_default=True,
    metavar="NAME",
    shell_complete=completed("profile"),
    help="The limits that the files must meet: home, drivethrucards, thegamecrafter, offset, or a profile file.",
)
@TEXT_OR_JSON
def preflight(files: tuple[Path, ...], profile: str, form: Format) -> None:
    """Check finished PDF files, from Platelayer or any other program, as a print shop would.

    It checks page boxes, bleed, fonts, colours, ink, spot colours, pictures, transparency, sizes of
    text and lines, the safe zone, and content that does not belong in print. PNG pictures are
    checked too, if the shop accepts them.
    """
    from platelayer.cli.reports import CheckReport, report_check
    from platelayer.cli.terminal import exit_after, report, watch
    from platelayer.pipeline.check import known_codes
    from platelayer.pipeline.check import preflight as check_files

    with watch():
        problems = check_files(files, profile)
    report(
        report_check(
            CheckReport(problems=problems, checked=len(files), codes=known_codes, what="file"), form
        ),
        form,
    )
    exit_after(problems)
