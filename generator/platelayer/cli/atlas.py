"""The commands `platelayer atlas ...`: words in, reports and exit codes out. The work is done by the atlas pipeline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from platelayer.atlas_pipeline import NewMap

MODE = click.option("--mode", required=True, metavar="MODE", help="long, short, micro3 or micro2.")
POLICY = click.option(
    "--policy",
    default="compact",
    show_default=True,
    help="How places are chosen: uniform (each as likely), compact (rather where a tile touches more), best (the best "
    "of several compact maps).",
)
BLANKS = click.option(
    "--blanks", type=click.IntRange(min=0), metavar="N", help="Lay N blanks at most (the box has 12). Default: all."
)


@click.group()
def atlas() -> None:
    """Assemble random maps of Railways of the Lost Atlas, by its own rules."""


@atlas.command()
@MODE
@click.option("--players", type=int, metavar="N", help="How many will play; checked against the mode.")
@click.option("--seed", type=int, metavar="N", help="Leads to the same map for ever. Default: a new one.")
@POLICY
@BLANKS
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), default=Path("output/atlas"))
def new(folder: Path, **options: object) -> None:
    """Assemble a map and write it into the folder OUTPUT: atlas.json, the log of every draw."""
    from platelayer.atlas_pipeline import AtlasOptions, atlas_new

    click.echo(_report(atlas_new(folder, AtlasOptions(**options))))  # type: ignore[arg-type]


def _report(made: NewMap) -> str:
    """What players need to know of a map, in a few lines."""
    from platelayer.atlas_pipeline import HEX_MM

    log, mode, (width, height) = made.log, made.mode, made.table_mm
    limit = "" if log.blank_limit is None else f" --blanks {log.blank_limit}"
    again = f"platelayer atlas new --mode {log.mode} --seed {log.seed} --policy {log.policy}{limit}"
    stack = "" if log.stack is None else f", stack {log.stack} of {mode.stacks}"
    box = made.box.blank_overlays
    spare = f"{box} in the box" if len(log.blanks) <= box else f"the box has {box}: cut more, or use --blanks {box}"
    columns = " + ".join(map(str, mode.columns))
    cash = ", ".join(f"{each} with {players} players" for players, each in mode.cash)
    return "\n".join(
        [
            *map(str, made.files),
            f"Map:       mode {log.mode}{stack}, seed {log.seed}, policy {log.policy}, "
            f"{_counted(log.restarts, 'restart')}",
            f"Pieces:    {len(log.placed)} map tiles, {_counted(len(log.overlays), 'capital')}, "
            f"{_counted(len(log.blanks), 'blank')} ({spare})",
            f"Table:     {width} x {height} mm with hexes of {HEX_MM:.0f} mm",
            f"Companies: {' '.join(made.companies)} ({len(made.companies)} minors)",
            f"Charters:  {len(mode.columns)} columns ({columns})",
            f"Cash:      {cash}; {mode.cycles} cycles",
            f"Again:     {again}",
        ]
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
