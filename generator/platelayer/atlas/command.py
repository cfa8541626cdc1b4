"""The `platelayer atlas` commands."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any, Literal

import click

from platelayer.cli.options import (
    TEXT_OR_JSON,
    completed,
    format_option,
    output_option,
    print_options,
)
from platelayer.cli.terminal import (
    answer,
    echo,
    echo_problems,
    echo_styled,
    emit,
    styled_problem,
)
from platelayer.foundation.seeds import MAX_SEED
from platelayer.foundation.text import counted


class Number(click.IntRange):
    """Whole number within bounds, by default of a seed, with a short error message."""

    def __init__(self, least: int, most: int = MAX_SEED) -> None:
        super().__init__(least, most)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; a usage error for anything else."""
        try:
            number = super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(
                f"{str(value)[:40]!a} is not a whole number from {self.min} to {self.max}",
                param,
                ctx,
            )
        return number


_MODES = "long, short, micro3 or micro2, or a mode of the title."
_MODE = partial(click.option, "--mode", metavar="MODE", shell_complete=completed("mode"))
MODE = _MODE(required=True, help=_MODES)
TITLE = click.option(
    "--title",
    default="lost-atlas",
    metavar="TITLE|PATH",
    show_default=True,
    shell_complete=completed("title"),
    help='Use the map tiles of this title (the "atlas" block of its definition).',
)
POLICY = click.option(
    "--policy",
    default="compact",
    show_default=True,
    shell_complete=completed("policy"),
    help="How tiles are placed: uniform (all places equally likely), compact (places with more neighbours are more "
    "likely), best (the best of several compact maps) or even (all complete maps equally likely; slower).",
)
BLANKS = click.option(
    "--blanks",
    type=Number(0, 200),
    metavar="N",
    help="Lay at most N blanks (the box has 12).  [default: all]",
)
_PLAYERS = partial(click.option, "--players", type=Number(1, 99), metavar="N")
# The seed of a survey.
_SURVEYED = partial(click.option, "--seed", type=Number(0), default=1, show_default=True)


@click.group()
def atlas() -> None:
    """Assemble random maps of Railways of the Lost Atlas, by the rules of the game."""


@atlas.command()
@TITLE
@_MODE(default="", help=f"{_MODES}  [required without --from]")
@click.option(
    "--from",
    "source",
    type=click.Path(),
    metavar="FILE|CODE|LINK",
    help="Use an existing map: an atlas.json, your own map, one tile per line, such as "
    '"3 city D4 home E5 plain D6", a code that a command printed, or a link that ends in one.',
)
@click.option("--finish", is_flag=True, help="Draw and lay the tiles that the map of --from lacks.")
@_PLAYERS(
    help="Shuffle seats, charters and the card of off-board areas for N players, always the same for "
    "the same map, and print the set-up for N."
)
@click.option(
    "--tables",
    type=Number(1, 99),
    metavar="N",
    help="Also print the guide N times, to be folded and sealed, with slips for results, for a tournament.",
)
@click.option(
    "--seed",
    type=Number(0),
    metavar="N",
    help="The same seed gives the same map.  [default: a new seed]",
)
@POLICY
@BLANKS
@click.option(
    "--paper",
    default="a4",
    show_default=True,
    help="Paper for the joined pages and the guide: a4, letter ...",
)
@print_options("language", "theme")
@click.option(
    "--draw/--no-draw",
    "drawn",
    default=True,
    show_default=True,
    help="Draw the map, or only write the log.",
)
@click.option(
    "--png/--no-png",
    default=True,
    show_default=True,
    help="Also draw the map as PNG.",
)
@click.option(
    "--page",
    default="",
    metavar="FILE.html|ADDRESS",
    help="FILE.html: also write the map as one page for a phone, which needs no network. ADDRESS of a browser edition: "
    "the QR code opens this map there.  [default: the code gives the command]",
)
@output_option("folder", "Output folder.", default=Path("output/atlas"), show_default=True)
def new(folder: Path, **options: object) -> None:
    """Assemble a map, or use your own, and write it to a folder.

    atlas.json is the log of every draw. The map is written as SVG, PNG, a poster and pages to join
    (PDF), with a guide to building it from the tiles in the box. report.txt repeats what is printed
    here. Every map is first checked independently.
    """
    from platelayer.atlas.make import AtlasOptions, atlas_new
    from platelayer.foundation.pool import available_processes

    if not options["mode"] and options["source"] is None:
        raise click.UsageError(f"Missing option '--mode' (or '--from'). Modes: {_MODES}")
    if options["finish"] and options["source"] is None:
        raise click.UsageError("--finish is for a map given with --from")
    new_map = atlas_new(folder, AtlasOptions(**options), processes=available_processes())  # type: ignore[arg-type]
    echo_problems(new_map.problems)
    echo("\n".join([*map(str, new_map.files), new_map.report]))


@atlas.command()
@TITLE
@click.argument("source", metavar="FILE|CODE|LINK", type=click.Path())
@_MODE(default="", help=f"{_MODES}  [default: the one the map names]")
@click.option(
    "--best",
    default="most fairness",
    show_default=True,
    metavar="MEASURE",
    help='Measure to sort by, e.g. "least diameter".',
)
@click.option(
    "--count", type=Number(1, 10_000), default=10, show_default=True, help="How many to show."
)
@click.option(
    "--most",
    type=Number(1, 1_000_000),
    default=10_000,
    show_default=True,
    help="Stop if there are more ways than this.",
)
@print_options("language")
@TEXT_OR_JSON
@output_option("path", "Draw the ways shown: FILE.svg, .pdf or .png")
def endings(source: str, path: Path | None, count: int, form: str, **how: Any) -> None:
    """List every legal way to finish a half-laid map, the best first.

    The map is a file in lines, or a code, as for `atlas new --from`. Each way is given as the lines
    to add, with the places of the file: columns left of A are -A, -B ..., rows above 1 are 0, -1
    ... Every draw and every place is tried, so only a little may be missing.
    """
    from platelayer.atlas.make import atlas_endings, draw_endings
    from platelayer.definitions.titles import load_title
    from platelayer.pipeline.load import language_notes

    echo_problems(language_notes(load_title(how["title"]).title, how["language"]))
    found = atlas_endings(source, **how)
    ways = [
        (dict(log.metrics), lines)
        for log, lines in zip(found.logs[:count], found.lines, strict=False)
    ]
    if form == "json":
        value = {
            "ways": len(found.logs),
            "best": found.best,
            "endings": [
                {**values, "lines": [*lines], "code": code}
                for (values, lines), code in zip(ways, found.codes, strict=False)
            ],
        }
        emit(json.dumps(value, indent=1))
    else:
        noun = "way" if len(found.logs) == 1 else "ways"
        answer(f"{len(found.logs)} legal {noun} to finish {source}, by {found.best}:")
        for number, (values, lines) in enumerate(ways, start=1):
            (measured,) = values.values()
            answer(f"{number:>3}  {measured:>8g}  {'; '.join(lines) or 'nothing is missing'}")
    if path is not None:
        draw_endings(path, found, count, how["title"])
        if form == "text":
            echo(str(path))


def _warn_of_even(policy: str) -> None:
    if policy.casefold() == "even":
        click.echo(
            "note: an even map takes up to half a second with the compiled core, and 50 times as long without",
            err=True,
        )


@atlas.command()
@TITLE
@click.argument("files", nargs=-1, required=True, metavar="FILE|CODE|LINK...", type=click.Path())
@format_option("json", "sarif")
@output_option("path", "Draw what was understood of the map: FILE.svg, .pdf or .png")
def check(
    files: tuple[str, ...], title: str, path: Path | None, form: Literal["text", "json", "sarif"]
) -> None:
    """Check maps draw by draw, and report every breach of the rules of assembly.

    FILE is an atlas.json, or a map that you transcribed from your table; a code or a link is that of
    a map. The check shares no code with the assembler.
    """
    from platelayer.atlas.make import check_maps, draw_checked
    from platelayer.cli.reports import CheckReport, report_check
    from platelayer.pipeline.load import known_codes

    if path is not None and len(files) > 1:
        raise click.UsageError("-o draws one map")
    problems = check_maps(files, title)
    drawn = path is not None and draw_checked(path, files[0], title)
    report = CheckReport(problems=problems, checked=len(files), codes=known_codes)
    if form == "text":
        summary = counted(len(problems), "problem") if problems else "no problems"
        checked = f"{counted(len(files), 'map')} checked: {summary}"
        echo_styled("\n".join([*map(styled_problem, problems), checked]))
    else:
        emit(report_check(report, form))
    if drawn and form == "text":
        echo(str(path))
    sys.exit(1 if problems else 0)


@atlas.command()
@TITLE
@MODE
@click.option("--count", type=Number(1), required=True, metavar="N", help="Number of maps.")
@_SURVEYED(help="The same seed gives the same maps.")
@POLICY
@BLANKS
@click.option(
    "--workers",
    type=Number(0, 61),
    metavar="W",
    help="Number of processes (0 or 1: only this one).  [default: as for build]",
)
@click.option("--check", "checked", is_flag=True, help="Also check every map independently.")
@output_option("folder", "Folder of the survey.", required=True)
def survey(
    folder: Path,
    count: int,
    workers: int | None,
    checked: bool,
    **request: Any,
) -> None:
    """Assemble and measure many maps: maps.csv, histograms and the seeds of the extremes.

    The same command resumes an interrupted survey.
    """
    from platelayer.atlas.make import survey_maps
    from platelayer.atlas.survey import SurveyOptions
    from platelayer.cli.terminal import watch

    processes = SurveyOptions().workers if workers is None else workers
    options = SurveyOptions(workers=processes, check=checked)
    _warn_of_even(request["policy"])
    with watch() as progress:
        result = survey_maps(folder, count, options, progress=progress, **request)
    echo(result.text)
    echo("\n".join(map(str, result.files)))
    for number, words in (
        (result.found, f"of {count} maps already existed"),
        (result.damaged, "maps were assembled again because their saved data was damaged"),
        (result.unchecked, "maps were assembled again to check them"),
    ):
        if number:
            echo(f"{number} {words}")


@atlas.command()
@TITLE
@MODE
@_PLAYERS(help="Number of players; checked against the mode.")
@click.option(
    "--where",
    multiple=True,
    metavar="CONDITIONS",
    help='Conditions on a map: "income_min >= 80, table_mm <= 600x900, with Bridging, Express.capital_way <= 3". If '
    "given more than once, all must hold. docs/atlas-measures.md lists the measures.",
)
@click.option(
    "--best",
    default="fairness",
    show_default=True,
    metavar="MEASURES",
    help='Measures to maximize, or to minimize after "least": "fairness, least diameter".',
)
@click.option(
    "--count",
    type=Number(1, 600),
    default=5,
    show_default=True,
    metavar="N",
    help="Number of maps to keep.",
)
@click.option(
    "--seconds",
    type=Number(1, 604800),
    metavar="S",
    help="Search for S seconds.  [default: 20, without --maps]",
)
@click.option(
    "--maps", type=Number(1, 10_000_000), metavar="N", help="Search N maps, however long it takes."
)
@_SURVEYED(help="Search the maps of the survey with this seed.")
@POLICY
@BLANKS
@TEXT_OR_JSON
@output_option("path", "Draw the maps found: FILE.svg, .pdf or .png")
def find(
    *,
    path: Path | None,
    seconds: int | None,
    maps: int | None,
    form: Literal["text", "json"],
    where: tuple[str, ...],
    **request: Any,
) -> None:
    """Search for maps that meet conditions, and keep the best.

    The search uses all processors. With --maps instead of --seconds, the same command finds the
    same maps on every machine. Every map found is assembled again from its seed and checked
    independently. The exit status is 1 if none was found.
    """
    from platelayer.atlas.find import FindOptions, as_json, found_text
    from platelayer.atlas.make import draw_found, find_maps
    from platelayer.cli.terminal import watch

    if maps is not None and seconds is not None:
        raise click.UsageError("use --maps or --seconds, not both")
    options = FindOptions(maps=maps, seconds=20 if maps is seconds is None else seconds)
    _warn_of_even(request["policy"])
    with watch() as progress:
        found = find_maps(
            path, options, where=", ".join(filter(str.strip, where)), progress=progress, **request
        )
    # Print the results first: a file that cannot be written must not lose a long search.
    if form == "json":
        emit(as_json(found))
    else:
        answer(found_text(found))
    if path is not None and found.maps:
        draw_found(path, found)
        if form == "text":
            echo(str(path))
    sys.exit(0 if found.maps else 1)


@atlas.command()
@TITLE
@MODE
@click.option(
    "--count", type=Number(1), default=12, show_default=True, metavar="N", help="Number of maps."
)
@_SURVEYED(help="Draw the first maps of the survey with this seed.")
@POLICY
@BLANKS
@output_option("path", "FILE.svg, .pdf or .png", required=True)
def gallery(path: Path, count: int, **request: Any) -> None:
    """Draw many small maps to choose one from, each with its seed."""
    from platelayer.atlas.make import draw_gallery_file

    draw_gallery_file(path, count, **request)
    echo(str(path))
