"""The command `platelayer studio`."""

from __future__ import annotations

import click

from platelayer.cli.terminal import echo


@click.command()
@click.argument("path", metavar="PATH")
@click.option("--port", type=click.IntRange(1, 65535), help="Port on this machine.  [8118, or any that is free]")
@click.option("--no-open", is_flag=True, help="Do not open the browser; only print the address.")
def studio(path: str, port: int | None, no_open: bool) -> None:
    """See a title in the browser while you write it.

    PATH is the folder of a title, or an empty one to begin in. The page is for this machine only; its address has a
    secret in it. Ctrl-C stops the studio.
    """
    from platelayer.studio.serve import serve

    def opened(address: str) -> None:
        echo(f"{path}: {address}\nCtrl-C stops the studio.")
        if not no_open:
            import webbrowser

            webbrowser.open(address)

    serve(path, port=port, opened=opened)
