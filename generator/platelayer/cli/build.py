"""The commands `platelayer build` and `platelayer calibrate`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from platelayer.cli.options import COLOR, CUT, MONEY, NO_CACHE, PLAYERS, SIZES, SPOT_NAME, Named

_PAIR = re.compile(r"([+-]?\d+(?:\.\d+)?) ?, ?([+-]?\d+(?:\.\d+)?)")


class Pair(click.ParamType):  # type: ignore[type-arg]
    """Two lengths in mm, "0.5,-0.3"."""

    name = "x,y"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        """The pair; a usage error for anything else."""
        if isinstance(value, tuple):
            return value
        found = _PAIR.fullmatch(str(value).strip())
        if found is None:
            self.fail(f"{value!r} is not a pair of lengths in mm such as 0.5,-0.3", param, ctx)
        return float(found[1]), float(found[2])


def _choice(*words: str) -> click.Choice[str]:
    return click.Choice(words)


# Defaults come from the profile, or from BuildOptions if the profile does not set the option.
_OPTIONS = (
    click.option("--variant", metavar="ID", help="Apply a variant of the title."),
    click.option("--profile", metavar="NAME|FILE", help="Where you print: home, offset, drivethrucards ..."),
    click.option("--only", metavar="KIND,...", help="Print these kinds of piece only."),
    click.option("--pieces", metavar="KIND:ID,...", help="Print these pieces only, e.g. tile:57,train:*"),
    click.option("--copies", type=click.IntRange(1, 999), help="Copies of each piece, whatever the box holds."),
    PLAYERS,
    MONEY,
    click.option("--since", metavar="MANIFEST", help="Print only what has changed since that manifest.json."),
    click.option("--paper", metavar="PAPER", help="a4, letter, a3 ... or WIDTHxHEIGHTmm.  [a4]"),
    click.option("--margin", "margin_mm", type=float, help="Rim that the printer leaves white, in mm.  [6]"),
    click.option("--poster", metavar="PAPER", help="Paper for the map in one piece.  [made to measure]"),
    click.option(
        "--layout",
        "layouts",
        type=Named("tiles=singles"),
        multiple=True,
        metavar="DOCUMENT=NAME",
        help="Change the layout of a document, e.g. tiles=singles, tiles=die, tokens=squares.",
    ),
    click.option("--sheets", metavar="FILE", help="Your own documents and layouts."),
    SIZES,
    COLOR,
    CUT,
    SPOT_NAME,
    click.option(
        "--duplex",
        type=_choice("none", "long", "short", "fold"),
        help="Backs: flipped on the long or the short edge, or beside the fronts to fold over.  [none]",
    ),
    click.option(
        "--register",
        type=_choice("none", "press", "silhouette"),
        help="Marks to align sheets by: on all plates with a colour bar, or for a Silhouette cutter.  [none]",
    ),
    click.option(
        "--also", type=_choice("svg", "dxf"), multiple=True, help="Each sheet as SVG, its cut lines as SVG or DXF, too."
    ),
    click.option("--offset", "offset_mm", type=Pair(), help="Move everything by x,y mm (right, down)."),
    click.option("--back-offset", "back_offset_mm", type=Pair(), help="Move backs by a further x,y mm."),
    click.option("--scale-x", type=float, help="Stretch horizontally, e.g. 1.002 (see platelayer calibrate)."),
    click.option("--scale-y", type=float, help="Stretch vertically."),
    click.option(
        "--draft",
        is_flag=True,
        default=None,
        help="Print what can be printed, whatever is wrong, and what is wrong on a sheet of its own.",
    ),
    click.option(
        "--lang",
        "language",
        metavar="CODE",
        help="Language of the print: en, ja, or another that the title has texts in.  [en]",
    ),
    click.option("--theme", metavar="NAME|FILE", help="A shipped theme, or a theme file.  [classic]"),
    NO_CACHE,
)


@click.command()
@click.argument("title")
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), default=Path("output"), show_default=True)
def build(title: str, folder: Path, no_cache: bool, **given: Any) -> None:
    """Print a title: PDF files and manifest.json into OUTPUT/<title>/.

    A title with errors prints nothing, unless --draft asks for what can be printed: the exit status is 1 all the same.
    """
    from platelayer.cli.progress import watch
    from platelayer.cli.status import exit_after
    from platelayer.cli.terminal import echo, tell
    from platelayer.foundation.cache import user_cache
    from platelayer.pipeline.build import build as build_title
    from platelayer.pipeline.build import read_options

    profile = given.pop("profile")
    for name in ("only", "pieces"):
        given[name] = tuple(filter(None, (given[name] or "").split(","))) or None
    given["also"] = given["also"] or None
    scale_x, scale_y = given.pop("scale_x"), given.pop("scale_y")
    if scale_x is not None or scale_y is not None:
        given["scale"] = tuple(1.0 if scale is None else scale for scale in (scale_x, scale_y))
    options = read_options(profile, given)
    with watch() as progress:
        made = build_title(title, options, progress=progress, cache=None if no_cache else user_cache())
        paths = made.write(folder)
    tell(made.problems)
    for change in made.changes:
        if change.to_throw_away:
            echo(f"throw away {change.to_throw_away} x {change.key} ({change.what})")
    if options.since and not made.changes:
        echo("nothing has changed")
    echo(f"{folder / made.title}: {len(paths)} files, {made.pages} pages, {made.pieces} pieces")
    if options.draft:
        echo(f"a draft: what is wrong is listed in {folder / made.title / 'findings.pdf'}")
        exit_after(made.problems)


for option in _OPTIONS:
    build = option(build)


@click.command()
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), required=True, help="FILE.pdf")
@click.option("--paper", default="a4", show_default=True, metavar="PAPER", help="a4, letter, a3 ... or WIDTHxHEIGHTmm.")
@click.option("--margin", "margin_mm", type=float, default=6.0, show_default=True, help="As for build.")
@click.option("--duplex", type=_choice("long", "short"), default="long", show_default=True, help="As for build.")
@click.option("--lang", "language", type=_choice("en", "ja"), default="en", show_default=True)
def calibrate(path: Path, **given: Any) -> None:
    """Print the page from which you measure --offset, --back-offset, --scale-x and --scale-y for your printer."""
    from platelayer.cli.terminal import echo
    from platelayer.pipeline.calibrate import write_calibration

    write_calibration(path, **given)
    echo(str(path))
