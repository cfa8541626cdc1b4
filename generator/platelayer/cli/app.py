"""The `platelayer` command: words in, reports and exit codes out. The work is done by the pipeline."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from platelayer import __version__
from platelayer.cli.atlas import atlas
from platelayer.cli.build import build, calibrate
from platelayer.cli.options import LANGUAGE, TEXT_OR_JSON, THEME, VARIANT
from platelayer.cli.preflight import preflight

if TYPE_CHECKING:
    from platelayer.cli.reports import CheckFormat, Format, UpgradesFormat
    from platelayer.foundation.problems import Problem

EXIT_CLEAN = 0
EXIT_PROBLEMS = 1
EXIT_COULD_NOT_RUN = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="platelayer")
def cli() -> None:
    """Print, check and explore 18xx railway games.

    TITLE is the id of a title that comes with Platelayer (see `platelayer titles`), or the path of a folder or file.
    """


@cli.command()
@TEXT_OR_JSON
def titles(form: Format) -> None:
    """List the titles that come with Platelayer."""
    from platelayer.cli.reports import report_titles
    from platelayer.pipeline import list_titles

    click.echo(report_titles(list_titles(), form))


@cli.command()
@click.argument("titles", nargs=-1, required=True, metavar="TITLE|FILE...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="How to report: SARIF 2.1.0 for code scanning, github for the log of a GitHub Action.",
)
@click.option("--changed", is_flag=True, help="Pass over files that belong to no title, as commit hooks need.")
def check(titles: tuple[str, ...], form: CheckFormat, changed: bool) -> None:
    """Check title definitions and say everything that is wrong with them.

    Any file in the folder of a title stands for that title.
    """
    from platelayer.cli.reports import CheckReport, report_check
    from platelayer.foundation.problems import has_errors
    from platelayer.pipeline import check as check_title
    from platelayer.pipeline import known_codes, titles_of

    wanted = titles_of(titles, only_related=changed)
    problems = [problem for title in wanted for problem in check_title(title)]
    echo(report_check(CheckReport(problems=problems, checked=len(wanted), codes=known_codes), form))
    sys.exit(EXIT_PROBLEMS if has_errors(problems) else EXIT_CLEAN)


@cli.command()
@click.argument("title")
@VARIANT
@LANGUAGE
@TEXT_OR_JSON
def manifest(title: str, variant: str | None, language: str, form: Format) -> None:
    """List every piece a title prints, with counts."""
    from platelayer.cli.reports import report_manifest
    from platelayer.pipeline import read_manifest

    click.echo(report_manifest(read_manifest(title, variant=variant), form, language))


@cli.command()
@click.argument("title")
@VARIANT
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "svg", "dot"]),
    default="text",
    show_default=True,
    help="A table, JSON, the upgrade chart as a picture, or a Graphviz graph.",
)
def upgrades(title: str, variant: str | None, form: UpgradesFormat) -> None:
    """Show which tiles may replace which, and in which rotations, by the tiles alone."""
    from platelayer.cli.reports import report_upgrades
    from platelayer.pipeline import draw_upgrades, read_upgrades

    if form == "svg":
        click.echo(draw_upgrades(title, variant=variant), nl=False)
    else:
        click.echo(report_upgrades(*read_upgrades(title, variant=variant), form))


@cli.command()
@click.argument("title")
@click.argument("piece")
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), required=True, help="FILE.svg, .png or .pdf")
@VARIANT
@LANGUAGE
@THEME
@click.option("--dpi", type=click.IntRange(20, 1200), default=300, show_default=True, help="Resolution of a PNG.")
@click.option("--bleed/--no-bleed", default=False, show_default=True, help="Show the bleed around the piece.")
def draw(title: str, piece: str, path: Path, dpi: int, bleed: bool, **options: str | None) -> None:
    """Draw one piece, e.g. `draw 18eu tile:57 -o 57.svg`. PIECE is kind:id as `manifest` lists them,
    or kind:id:back for its back."""
    from platelayer.options import BuildOptions
    from platelayer.pipeline import draw_to_file

    draw_to_file(title, piece, path, BuildOptions(**options), dpi=dpi, bleed=bleed)  # type: ignore[arg-type]
    click.echo(str(path))


@cli.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--schemas", is_flag=True, help="Only renew the schemas for editors in the folder of a title.")
def new(folder: Path, schemas: bool) -> None:
    """Write a small, complete title into a new folder, to be made one's own.

    It comes with schemas and settings, so that editors complete and check while typing.
    """
    from platelayer.pipeline import new_title, renew_schemas

    files = renew_schemas(folder) if schemas else new_title(folder)
    click.echo(f"{folder}: {len(files)} files")
    if not schemas:
        click.echo(f"Read {folder / 'README.md'}, then: platelayer check {shlex.quote(str(folder))}")


@cli.command()
@click.argument("code")
def explain(code: str) -> None:
    """Say what a problem's code means and how to put it right."""
    from platelayer.pipeline import explain as explain_code

    click.echo(explain_code(code))


cli.add_command(atlas)
cli.add_command(build)
cli.add_command(calibrate)
cli.add_command(preflight)


def echo(text: str, *, err: bool = False) -> None:
    """Text with styles: shown on a terminal, left out elsewhere and where NO_COLOR (no-color.org) is set."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    click.echo(text, err=err, color=False if plain else None)


def tell(problems: Iterable[Problem]) -> None:
    """Problems on standard error, a line each."""
    from platelayer.cli.reports import styled_problem

    for problem in problems:
        echo(styled_problem(problem), err=True)


def _stop(message: str, status: int) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(status)


def main() -> None:
    """Run the command; every foreseeable failure ends in clear lines and exit status 1 or 2, never in a traceback."""
    from platelayer.foundation.problems import CannotRun, ProblemsFound

    try:
        cli(prog_name="platelayer")
    except ProblemsFound as stop:
        tell(stop.problems)
        errors = sum(1 for problem in stop.problems if problem.severity.word == "error")
        _stop(f"{errors} error{'s' * (errors != 1)}: nothing was printed", EXIT_PROBLEMS)
    except CannotRun as stop:
        _stop(f"platelayer: {stop}", EXIT_COULD_NOT_RUN)
    except OSError as stop:
        name = f"{stop.filename}: " if stop.filename else ""
        _stop(f"platelayer: {name}{stop.strerror or stop}", EXIT_COULD_NOT_RUN)
    except KeyboardInterrupt:
        _stop("platelayer: interrupted, nothing was written", EXIT_COULD_NOT_RUN)
