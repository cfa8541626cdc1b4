"""The `platelayer preflight` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from platelayer.cli.options import TEXT_OR_JSON

if TYPE_CHECKING:
    from platelayer.cli.reports import Format


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
    from platelayer.cli.status import exit_after
    from platelayer.cli.terminal import report
    from platelayer.pipeline.check import preflight as check_files
    from platelayer.pipeline.explain import known_codes

    problems = check_files(files, profile)
    report(
        report_check(
            CheckReport(problems=problems, checked=len(files), codes=known_codes, what="file"), form
        ),
        form,
    )
    exit_after(problems)
