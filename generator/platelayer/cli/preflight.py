"""The command `platelayer preflight`: words in, reports and exit codes out. The work is done by the pipeline."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from platelayer.cli.options import TEXT_OR_JSON

if TYPE_CHECKING:
    from platelayer.cli.reports import Format


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.pdf...", type=click.Path(path_type=Path))
@click.option(
    "--profile",
    default="home",
    show_default=True,
    metavar="NAME",
    help="What the files must keep to: home, drivethrucards, thegamecrafter, offset, or a profile file.",
)
@TEXT_OR_JSON
def preflight(files: tuple[Path, ...], profile: str, form: Format) -> None:
    """Check finished PDF files, of Platelayer or any other program, as a print shop would.

    Looks at page boxes, bleed, fonts, colours, ink, spot colours, pictures, transparency, sizes of text and lines, the
    safe zone, and what does not belong into a print. PNG pictures are checked too, where the shop takes them.
    """
    from platelayer.cli.app import EXIT_CLEAN, EXIT_PROBLEMS, echo
    from platelayer.cli.reports import CheckReport, report_check
    from platelayer.foundation.problems import has_errors
    from platelayer.pipeline import known_codes
    from platelayer.pipeline import preflight as check_files

    problems = check_files(files, profile)
    report = CheckReport(problems=problems, checked=len(files), codes=known_codes, what="file")
    echo(report_check(report, form))
    sys.exit(EXIT_PROBLEMS if has_errors(problems) else EXIT_CLEAN)
