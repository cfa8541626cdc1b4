"""The commands `platelayer build` and `platelayer calibrate`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from platelayer.cli.options import (
    BLACK,
    COLOR,
    CORNER,
    CUT,
    INTENT,
    LANGUAGE,
    MONEY,
    NO_CACHE,
    NUMBERS,
    PLAYERS,
    POSITION,
    SIZES,
    SPOT_LAYER,
    SPOT_NAME,
    TEXT_OR_JSON,
    THEME,
    VARIANT,
    Named,
)

if TYPE_CHECKING:
    from platelayer.cli.reports import Format


_PAIR = re.compile(r"([+-]?\d+(?:\.\d+)?) ?, ?([+-]?\d+(?:\.\d+)?)")


class Pair(click.ParamType):  # type: ignore[type-arg]
    """Two lengths in mm, "0.5,-0.3"."""

    name = "x,y"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """The pair; a usage error for anything else."""
        if isinstance(value, tuple):
            return value
        pair = _PAIR.fullmatch(str(value).strip())
        if pair is None:
            self.fail(f"{value!r} is not a pair of lengths in mm such as 0.5,-0.3", param, ctx)
        return float(pair[1]), float(pair[2])


def _choice(*words: str) -> click.Choice[str]:
    return click.Choice(words)


# Defaults come from the profile, or from BuildOptions if the profile does not set the option.
_OPTIONS = (
    VARIANT,
    click.option(
        "--profile",
        metavar="NAME|FILE",
        help="Printing service or process: home, offset, drivethrucards ...",
    ),
    click.option("--only", metavar="KIND,...", help="Print only these kinds of piece."),
    click.option(
        "--without",
        metavar="KIND,...",
        help="Leave out these kinds of piece, e.g. money,bank-board.",
    ),
    click.option(
        "--pieces", metavar="KIND:ID,...", help="Print only these pieces, e.g. tile:57,train:*"
    ),
    click.option(
        "--copies",
        type=click.IntRange(1, 999),
        help="Copies of each piece, whatever the box contents.",
    ),
    PLAYERS,
    MONEY,
    click.option(
        "--since", metavar="MANIFEST", help="Print only what has changed since this manifest.json."
    ),
    click.option(
        "--paper", metavar="PAPER", help="a4, letter, a3 ... or WIDTHxHEIGHTmm.  [default: a4]"
    ),
    click.option(
        "--margin", "margin_mm", type=float, help="Unprintable margin, in mm.  [default: 6]"
    ),
    click.option(
        "--poster",
        metavar="PAPER",
        help="Paper for the map in one piece.  [default: the size of the map]",
    ),
    click.option(
        "--layout",
        "layouts",
        type=Named("tiles=singles"),
        multiple=True,
        metavar="DOCUMENT=NAME",
        help="Change the layout of a document, e.g. tiles=singles, tiles=die, tokens=squares.",
    ),
    click.option("--sheets", metavar="FILE", help="Your own documents and layouts."),
    POSITION,
    NUMBERS,
    SIZES,
    COLOR,
    BLACK,
    INTENT,
    CUT,
    SPOT_NAME,
    SPOT_LAYER,
    CORNER,
    click.option(
        "--duplex",
        type=_choice("none", "long", "short", "fold"),
        help="Print backs: flipped on the long or short edge, or beside the fronts to fold over.  [default: none]",
    ),
    click.option(
        "--register",
        type=_choice("none", "press", "silhouette"),
        help="Registration marks: for a press, with a colour bar, or for a Silhouette cutter.  [default: none]",
    ),
    click.option(
        "--also",
        type=_choice("svg", "dxf", "png", "edge"),
        multiple=True,
        help="Also write each sheet and its cut lines as SVG, or the lines as DXF, or the sheet as PNG; edge: the "
        "lines with the edge of the page.",
    ),
    click.option(
        "--offset", "offset_mm", type=Pair(), help="Move everything by x,y mm (right, down)."
    ),
    click.option(
        "--back-offset", "back_offset_mm", type=Pair(), help="Move backs by a further x,y mm."
    ),
    click.option(
        "--scale-x", type=float, help="Stretch horizontally, e.g. 1.002 (see platelayer calibrate)."
    ),
    click.option("--scale-y", type=float, help="Stretch vertically."),
    click.option(
        "--draft",
        is_flag=True,
        default=None,
        help="Print what can be printed despite errors, and list the problems on a separate sheet.",
    ),
    click.option(
        "--lang",
        "language",
        metavar="CODE",
        help="Language of the print: en, ja, another that the title has texts in, or your own.  [default: en]",
    ),
    click.option(
        "--theme", metavar="NAME|FILE", help="A shipped theme, or a theme file.  [default: classic]"
    ),
    NO_CACHE,
)


@click.command()
@click.argument("title")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("output"),
    show_default=True,
    help="Output folder.",
)
def build(title: str, folder: Path, no_cache: bool, **given: Any) -> None:
    """Print a title: PDF files and manifest.json into OUTPUT/<title>/.

    A title with errors is not printed. With --draft, what can be printed is; the exit status is
    still 1.
    """
    from platelayer.cli.terminal import echo, exit_after, tell, watch
    from platelayer.foundation.cache import user_cache
    from platelayer.foundation.pool import available_processes
    from platelayer.pipeline.build import build as build_title
    from platelayer.pipeline.build import read_options

    profile = given.pop("profile")
    for name in ("only", "without", "pieces"):
        given[name] = tuple(filter(None, (given[name] or "").split(","))) or None
    given["also"] = given["also"] or None
    scale_x, scale_y = given.pop("scale_x"), given.pop("scale_y")
    if scale_x is not None or scale_y is not None:
        given["scale"] = tuple(1.0 if scale is None else scale for scale in (scale_x, scale_y))
    options = read_options(profile, given)
    with watch() as progress:
        cache = None if no_cache else user_cache()
        pack = build_title(
            title, options, progress=progress, processes=available_processes(), cache=cache
        )
        paths = pack.write(folder)
    tell(pack.problems)
    for change in pack.changes:
        if change.to_throw_away:
            echo(f"throw away {change.to_throw_away} x {change.key} ({change.what})")
    if options.since and not pack.changes:
        echo("nothing has changed")
    echo(f"{folder / pack.title}: {len(paths)} files, {pack.pages} pages, {pack.pieces} pieces")
    if options.draft:
        echo(f"draft: the problems are listed in {folder / pack.title / 'findings.pdf'}")
        exit_after(pack.problems)


for option in _OPTIONS:
    build = option(build)


@click.command()
@click.option(
    "-o", "--output", "path", type=click.Path(path_type=Path), required=True, help="FILE.pdf"
)
@click.option(
    "--paper",
    default="a4",
    show_default=True,
    metavar="PAPER",
    help="a4, letter, a3 ... or WIDTHxHEIGHTmm.",
)
@click.option(
    "--margin", "margin_mm", type=float, default=6.0, show_default=True, help="As for build."
)
@click.option(
    "--duplex",
    type=_choice("long", "short"),
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
    from platelayer.cli.terminal import echo
    from platelayer.pipeline.box import write_calibration

    write_calibration(path, **given)
    echo(str(path))


@click.command()
@click.argument("title")
@click.option(
    "-o", "--output", "path", type=click.Path(path_type=Path), required=True, help="FILE.pdf"
)
@click.option(
    "--form",
    type=_choice("tuckbox", "two-piece"),
    default="tuckbox",
    show_default=True,
    help="Kind of box.",
)
@click.option(
    "--only",
    metavar="KIND,...",
    help="What it holds.  [default: cards in a tuckbox, else everything]",
)
@click.option("--without", metavar="KIND,...", help="What to leave out of it.")
@VARIANT
@PLAYERS
@SIZES
@COLOR
@SPOT_NAME
@LANGUAGE
@THEME
def box(title: str, path: Path, form: str, **given: Any) -> None:
    """Print a box to cut out and fold, sized to hold the pieces of a title."""
    from platelayer.cli.terminal import echo
    from platelayer.pipeline.box import write_box
    from platelayer.pipeline.build import read_options

    for name in ("only", "without"):
        given[name] = tuple(filter(None, (given[name] or "").split(","))) or None
    echo(write_box(title, path, read_options(None, given), form=form))


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
    from platelayer.cli.terminal import exit_after, report
    from platelayer.pipeline.check import known_codes
    from platelayer.pipeline.check import preflight as check_files

    problems = check_files(files, profile)
    report(
        report_check(
            CheckReport(problems=problems, checked=len(files), codes=known_codes, what="file"), form
        ),
        form,
    )
    exit_after(problems)
