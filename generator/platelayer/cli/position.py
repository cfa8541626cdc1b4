"""The commands `platelayer position ...`."""

from __future__ import annotations

from pathlib import Path

import click

from platelayer.cli.terminal import echo, emit


@click.group()
def position() -> None:
    """Work with positions: tiles and tokens on the map of a game in play.

    `draw TITLE map --position FILE` draws one, `build TITLE --position FILE` prints it, `check FILE` checks it.
    """


@position.command("import")
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--title", "title", metavar="TITLE", help="The title being played.  [default: the shipped title of that name]"
)
@click.option("--at", type=click.IntRange(0), metavar="N", help="The position after action N.  [default: the last]")
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="FILE.json.  [default: standard output]")
def bring_position(source: Path, title: str | None, at: int | None, path: Path | None) -> None:
    """Make a position from a game file of 18xx.games.

    Only what the file itself says is used: tiles, tokens, homes of companies that have operated, and the phase that
    follows from the trains bought. What the rules decided is listed.
    """
    from platelayer.pipeline.positions import import_position
    from platelayer.pipeline.write import write_all

    brought = import_position(source, title, at=at)
    for line in brought.untold:
        echo(f"not told: {line}", err=True)
    if path is None:
        emit(brought.text)
        return
    write_all(path.parent, {path.name: brought.text.encode()}, sources=[source])
    tiles, tokens = len(brought.position.tiles), sum(len(stations) for _, stations in brought.position.tokens)
    echo(f"{path}: {tiles} tiles, {tokens} tokens")
