"""The command `platelayer studio`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread

import click

from platelayer.cli.options import completed
from platelayer.cli.terminal import echo, echo_problems
from platelayer.foundation.problems import CannotRun, ProblemsFound

_WAY_IN = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>Platelayer studio</title>
<a href="{address}">Platelayer studio</a>
"""


@click.command()
@click.argument("path", metavar="PATH", shell_complete=completed("title"))
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="Port on this machine.  [default: 8118, or any free port]",
)
@click.option("--no-open", is_flag=True, help="Do not open the browser; only print the address.")
@click.option(
    "--watch",
    "table",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Spreadsheet that is written into the folder each time that it is saved.",
)
def studio(path: str, port: int | None, no_open: bool, table: Path | None) -> None:
    """Show a title in the browser while you write it.

    PATH is the folder of a title, or an empty folder for a new one. With --watch, the title is written
    in a spreadsheet; files that you edit in the studio are then yours, and stay. The page is served to this
    machine only; its address contains a secret that changes every time. Ctrl-C stops the studio.
    """
    import webbrowser

    from platelayer.studio.server import serve

    if table is not None:
        _follow(table, Path(path))
    with ExitStack() as until_stopped:

        def opened(address: str) -> None:
            echo(f"{path}: {address}\nCtrl-C stops the studio.")
            if not no_open:
                # Some browsers block the program that opens them until they are closed.
                way_in = (until_stopped.enter_context(_way_in(address)),)
                Thread(target=webbrowser.open, args=way_in, daemon=True).start()

        serve(path, port=port, opened=opened)


def _follow(table: Path, folder: Path) -> None:
    """Write the title of a spreadsheet into a folder, now and each time that the spreadsheet is
    saved. Raises CannotRun."""
    from watchfiles import watch

    from platelayer.definitions.pictures import SUFFIX
    from platelayer.foundation.door import real
    from platelayer.pipeline.registry import function

    def write() -> None:
        try:
            edited = function("follow_tables")(table, folder)
        except ProblemsFound as error:
            echo_problems(error.problems)
            return
        if edited:
            echo(f"edited in the studio, so not replaced: {', '.join(edited)}", err=True)

    def concerns(_: object, name: str) -> bool:
        path = Path(name)
        is_logo = SUFFIX.fullmatch(path.suffix) and not real(path).is_relative_to(real(folder))
        return path.name == table.name or bool(is_logo)

    def follow() -> None:
        # Many programs save by replacing the file, so the folder is watched instead.
        for _ in watch(table.parent, watch_filter=concerns):
            with suppress(CannotRun):
                write()

    write()
    Thread(target=follow, daemon=True).start()


@contextmanager
def _way_in(address: str) -> Iterator[str]:
    """Yield the address of a private file that redirects to the given address. Everybody on this
    machine can see the command line of a browser, so it must not contain the secret address
    itself."""
    import shutil
    import tempfile
    from html import escape

    # Browsers that Ubuntu ships as snaps cannot read temporary or hidden files.
    within = Path.home() if Path("/snap").is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="platelayer-studio-", dir=within))
    try:
        file = folder / "open.html"
        file.touch(0o600)
        file.write_text(_WAY_IN.format(address=escape(address)), encoding="utf-8")
        yield file.as_uri()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
