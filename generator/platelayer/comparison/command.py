"""The command `platelayer compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from platelayer.cli.options import completed, format_option, print_options, title_argument
from platelayer.cli.terminal import echo, report, watch


@click.command()
@title_argument("before", metavar="A")
@title_argument("after", metavar="B", required=False)
@print_options("variant")
@click.option(
    "--about",
    "aspects",
    multiple=True,
    type=click.Choice(["game", "words", "print", "sources"]),
    help="Only changes to how the game is played, to names and texts, to the look and contents of the box, or to "
    "sources; may be given several times.  [default: all; game, if A or B comes from another program]",
)
@click.option(
    "--common/--all",
    "in_common",
    default=None,
    help="Compare only what both sides define.  [default: if A or B comes from another program]",
)
@click.option(
    "--pieces",
    is_flag=True,
    help="Draw the pieces, and list those to print and those to throw away.",
)
@click.option(
    "--pdf",
    "path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the changes to a PDF file (- for standard output), with each piece before and after.",
)
@click.option(
    "--paper",
    default="a4",
    show_default=True,
    metavar="NAME",
    help="Paper of the PDF file.",
    shell_complete=completed("paper"),
)
@print_options("language", "theme", "sizes")
@format_option("json", "markdown", help="Output format: text, JSON, or Markdown for a changelog.")
def compare(before: str, after: str | None, form: str, path: Path | None, **how: Any) -> None:
    """Show what changed between two definitions, each fact once.

    A and B are titles, or games of other programs as `import` reads them. A@REVISION is a title as
    it was at a git revision: `compare my-title@HEAD~2 my-title`. A alone is compared with its last
    commit; with --variant, with that variant.
    """
    from platelayer.comparison.compare import compare as compare_titles
    from platelayer.pipeline.job import BuildOptions
    from platelayer.pipeline.write import STANDARD_OUTPUT, write_one

    aspects, variant, in_common = (how.pop(name) for name in ("aspects", "variant", "in_common"))
    pieces = how.pop("pieces") or path is not None
    options = BuildOptions(**how)
    with watch():
        comparison = compare_titles(
            before, after, variant=variant, in_common=in_common, pieces=pieces, options=options
        )
        if aspects or comparison.is_foreign:
            comparison = comparison.about(*(aspects or ("game",)))
        pdf = None if path is None else comparison.pdf(options)
    text = comparison.written(form).removesuffix("\n")
    if path is not None and pdf is not None:
        write_one(path, pdf)
        if path == STANDARD_OUTPUT:
            echo(text, err=True)
            return
        echo(str(path), err=True)
    report(text, form)
