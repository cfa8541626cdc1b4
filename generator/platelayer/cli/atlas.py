"""The commands `platelayer atlas ...`: words in, reports and exit codes out. The work is done by the atlas pipeline."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

MODE = click.option("--mode", required=True, metavar="MODE", help="long, short, micro3 or micro2.")
POLICY = click.option(
    "--policy",
    default="compact",
    show_default=True,
    help="How places are chosen: uniform (each as likely), compact (rather where a tile touches more), best (the best "
    "of several compact maps).",
)
BLANKS = click.option(
    "--blanks", type=click.IntRange(min=0), metavar="N", help="Lay N blanks at most (the box has 12). Default: all."
)


@click.group()
def atlas() -> None:
    """Assemble random maps of Railways of the Lost Atlas, by its own rules."""


@atlas.command()
@MODE
@click.option("--players", type=int, metavar="N", help="How many will play; checked against the mode.")
@click.option("--seed", type=int, metavar="N", help="Leads to the same map for ever. Default: a new one.")
@POLICY
@BLANKS
@click.option("--paper", default="a4", show_default=True, help="Of the pages to join and of the guide: a4, letter ...")
@click.option("--lang", "language", type=click.Choice(["en", "ja"]), default="en", show_default=True)
@click.option("--theme", default="classic", show_default=True, help="A shipped theme, or a theme file.")
@click.option("--draw/--no-draw", "drawn", default=True, show_default=True, help="Draw it, or write the log alone.")
@click.option("--png/--no-png", default=True, show_default=True, help="Draw it as PNG too, where the system can.")
@click.option(
    "-o", "--output", "folder", type=click.Path(path_type=Path), default=Path("output/atlas"), show_default=True
)
def new(folder: Path, **options: object) -> None:
    """Assemble a map and write it into the folder OUTPUT.

    atlas.json is the log of every draw; the map comes as SVG, PNG, poster and pages to join (PDF), with a guide to
    build it from the tiles of the box, and report.txt says what is told here. Every map is checked independently first.
    """
    from platelayer.atlas_pipeline import AtlasOptions, atlas_new

    made = atlas_new(folder, AtlasOptions(**options))  # type: ignore[arg-type]
    click.echo("\n".join([*map(str, made.files), made.report]))


@atlas.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif"]), default="text", show_default=True)
def check(files: tuple[Path, ...], form: Literal["text", "json", "sarif"]) -> None:
    """Check maps, draw by draw, and say everything that the rules of assembly do not allow.

    FILE is an atlas.json, or a map typed in from a table. Nothing of the assembler is used.
    """
    from platelayer.atlas_study import check_maps
    from platelayer.cli.reports import CheckReport, report_check, styled_problem
    from platelayer.pipeline import known_codes

    problems = check_maps(files)
    report = CheckReport(problems=problems, checked=len(files), codes=known_codes)
    if form == "text":
        told = _counted(len(problems), "problem") if problems else "no problems"
        click.echo("\n".join([*map(styled_problem, problems), f"{_counted(len(files), 'map')} checked: {told}"]))
    else:
        click.echo(report_check(report, form))
    sys.exit(1 if problems else 0)


@atlas.command()
@MODE
@click.option("--count", type=click.IntRange(min=1), required=True, metavar="N", help="How many maps.")
@click.option("--seed", type=int, default=1, show_default=True, help="Leads to the same maps for ever.")
@POLICY
@BLANKS
@click.option(
    "--workers", type=click.IntRange(min=0), metavar="W", help="Processes (0: this one). Default: one a core."
)
@click.option("--scheduler", metavar="tcp://...", help="A dask scheduler, instead of processes of this machine.")
@click.option("--check", "checked", is_flag=True, help="Check every map independently too.")
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), required=True, help="Folder of the survey.")
def survey(
    folder: Path, count: int, workers: int | None, scheduler: str | None, checked: bool, **asked: object
) -> None:
    """Assemble and measure many maps: maps.csv, histograms, and the seeds at the extremes.

    Started again after it was stopped, it goes on from there.
    """
    from platelayer.atlas_study import survey_maps
    from platelayer.cli.progress import watch
    from platelayer.survey import SurveyOptions

    hands = SurveyOptions().workers if workers is None else workers
    options = SurveyOptions(workers=hands, scheduler=scheduler, check=checked)
    with watch() as progress:
        result = survey_maps(folder, count, options, progress=progress, **asked)
    click.echo(result.text)
    click.echo("\n".join(map(str, result.files)))
    if result.found:
        click.echo(f"{result.found} of {count} maps were there already")


@atlas.command()
@MODE
@click.option("--count", type=int, default=12, show_default=True, metavar="N", help="How many maps.")
@click.option("--seed", type=int, default=1, show_default=True, help="The maps are the first of a survey of this seed.")
@POLICY
@BLANKS
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), required=True, help="FILE.svg or FILE.pdf")
def gallery(path: Path, count: int, **asked: object) -> None:
    """Draw many small maps to choose one from, each with its seed."""
    from platelayer.atlas_study import draw_gallery_file

    draw_gallery_file(path, count, **asked)
    click.echo(str(path))


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
