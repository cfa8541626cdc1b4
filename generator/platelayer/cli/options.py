"""Options that several commands share, as decorators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def format_option(*others: str, help: str = "Output format.") -> Callable[[Command], Command]:  # noqa: A002 - as click's
    """The option of a report's format: text, or one of some others."""
    choice = click.Choice(["text", *others])
    return click.option(
        "--format", "form", type=choice, default="text", show_default=True, help=help
    )


TEXT_OR_JSON = format_option("json")
PLAYERS = click.option(
    "--players", type=click.IntRange(1, 20), metavar="N", help="Only what this many players need."
)
MONEY = click.option("--money", is_flag=True, help="Add banknotes if the title defines none.")
VARIANT = click.option("--variant", metavar="ID", help="Apply a variant of the title.")
LANGUAGE = click.option(
    "--lang",
    "language",
    metavar="CODE",
    default="en",
    show_default=True,
    help="Language of the print: en, ja, another that the title has texts in, or your own.",
)
THEME = click.option(
    "--theme", default="classic", show_default=True, help="A shipped theme, or a theme file."
)

NO_CACHE = click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")


class Named(click.ParamType):  # type: ignore[type-arg]
    """A name and its value, "tiles=singles"."""

    name = "name=value"

    def __init__(self, example: str) -> None:
        self._example = example

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """The name and its value; a usage error for anything else."""
        if isinstance(value, tuple):
            return value
        name, equals, given = str(value).partition("=")
        if not (name.strip() and equals and given.strip()):
            self.fail(f"{value!r} is not of the form {self._example}", param, ctx)
        return name.strip(), given.strip()


SIZES = click.option(
    "--size",
    "sizes",
    type=Named("train=poker"),
    multiple=True,
    metavar="KIND=SIZE",
    help="Change the size of a kind of piece, e.g. train=poker, tile=40, map=42.",
)
POSITION = click.option(
    "--position", type=click.Path(), metavar="FILE", help="Show this position on the map."
)
NUMBERS = click.option(
    "--numbers", is_flag=True, default=None, help="Print the numbers of the tiles in the position."
)
COLOR = click.option(
    "--color",
    type=click.Choice(["rgb", "cmyk", "gray"]),
    help="rgb for home printers, cmyk for print shops, gray for black ink alone.  [default: rgb]",
)
CUT = click.option(
    "--cut",
    type=click.Choice(["none", "marks", "lines", "spot"]),
    help="How cut outlines are shown.  [default: marks]",
)
SPOT_NAME = click.option(
    "--spot-name",
    metavar="NAME",
    help="Name of the spot colour for cut lines.  [default: CutContour]",
)
BLACK = click.option(
    "--black",
    type=click.Choice(["plain", "rich"]),
    help="Black solids of --color cmyk: black ink alone, or all four inks.  [default: plain]",
)
INTENT = click.option(
    "--intent",
    type=click.Choice(["coated", "uncoated", "gracol"]),
    help="Paper and press that --color cmyk is for: FOGRA39, FOGRA47 or GRACoL.  [default: coated]",
)
CORNER = click.option(
    "--corner",
    "corner_mm",
    type=click.FloatRange(0, 15),
    metavar="MM",
    help="Round the corners of cards.  [default: 0]",
)
SPOT_LAYER = click.option(
    "--spot-layer", metavar="NAME", help="Name of the layer for cut lines.  [default: Cut line]"
)
