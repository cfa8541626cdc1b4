"""Options that several commands share, as decorators."""

from __future__ import annotations

import click

TEXT_OR_JSON = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output format.",
)
VARIANT = click.option("--variant", metavar="ID", help="Apply a variant of the title.")
LANGUAGE = click.option(
    "--lang",
    "language",
    type=click.Choice(["en", "ja"]),
    default="en",
    show_default=True,
    help="Language of the print.",
)
THEME = click.option("--theme", default="classic", show_default=True, help="A shipped theme, or a theme file.")
