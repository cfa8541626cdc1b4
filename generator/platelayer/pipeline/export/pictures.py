"""A file for each face of each piece, and sheets of sprites."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from msgspec import Struct

from platelayer.exchange.out.file_names import PATTERN, check_names, check_pattern, file_name
from platelayer.exchange.out.sprite_atlas import atlas_json
from platelayer.foundation.problems import CannotRun
from platelayer.imposition.sprites import Grid, grids, pixels_of, sheet_of
from platelayer.pipeline.export.faces import Choice, Face, faces, on_paper, picture

MOST_PX = 4096
"""A side of a sheet of sprites: what every graphics card takes."""


class PictureOptions(Struct, frozen=True, kw_only=True):
    """How pictures are made: the pattern of their names, their kinds of file, and pixels to the inch."""

    name: str = PATTERN
    kinds: tuple[str, ...] = ("png",)
    dpi: int = 300


def _named(choice: Choice, pattern: str) -> list[tuple[str, Face]]:
    """Every face with its name, each once."""
    check_pattern(pattern)
    named = [(_name(choice, pattern, face), face) for every in faces(choice) for face in every]
    check_names([(name, f"{face.piece.key} {face.label}") for name, face in named])
    return named


def _name(choice: Choice, pattern: str, face: Face) -> str:
    piece = face.piece
    return file_name(
        pattern,
        {
            "title": choice.title.id,
            "kind": piece.kind,
            "id": piece.id,
            "face": face.label,
            "name": choice.name(piece),
            "group": piece.group or piece.kind,
            "count": str(piece.count),
            "language": choice.language,
        },
    )


def piece_files(choice: Choice, options: PictureOptions) -> dict[str, bytes]:
    """A file for each face, of each kind of file."""
    from platelayer.render.painters import PAINTERS

    for kind in options.kinds:
        if f".{kind}" not in PAINTERS:
            known = ", ".join(each.removeprefix(".") for each in PAINTERS)
            raise CannotRun(f"--format: there is no kind of picture {kind!r}; use {known}")
    found: dict[str, bytes] = {}
    for name, face in _named(choice, options.name):
        label = f"{choice.style.words(choice.title.name)}: {choice.name(face.piece)}, {face.label}"
        for kind in options.kinds:
            scene = face.scene if kind == "pdf" else on_paper(face.scene)
            found[f"{name}.{kind}"] = PAINTERS[f".{kind}"](scene, label=label, dpi=options.dpi, bleed=False)
    return found


def sprite_files(choice: Choice, options: PictureOptions) -> dict[str, bytes]:
    """Sheets of sprites, each with its atlas beside it: one for each kind of piece and size, or several."""
    named = _named(choice, options.name)
    counts = {name: face.piece.count for name, face in named}
    found: dict[str, bytes] = {}
    for stem, group in _groups(named):
        size_mm = group[0][1].size_mm
        cell = pixels_of(size_mm, options.dpi, MOST_PX)
        for number, (grid, here) in enumerate(
            _shared(group, grids(len(group), cell, _nearly_square(len(group), cell), MOST_PX)), 1
        ):
            name = stem if len(group) == len(here) else f"{stem}-{number}"
            scene = sheet_of(name, [face.scene for _, face in here], grid, size_mm)
            found[f"{name}.png"] = picture(scene, grid.size_px)
            frames = {each: (*grid.corner_px(index), *cell) for index, (each, _) in enumerate(here)}
            found[f"{name}.json"] = atlas_json(f"{name}.png", grid.size_px, frames, counts)
    return found


def _nearly_square(count: int, cell: tuple[int, int]) -> tuple[int, int]:
    """The most columns and rows of a sheet that is about as wide as it is high."""
    return math.ceil(math.sqrt(count * cell[1] / cell[0])), count


def _groups(named: list[tuple[str, Face]]) -> Iterator[tuple[str, list[tuple[str, Face]]]]:
    """Faces of one kind and size; further sizes of a kind have their size in the name."""
    by_size: dict[tuple[str, tuple[float, float]], list[tuple[str, Face]]] = {}
    for name, face in named:
        size = (round(face.size_mm[0], 3), round(face.size_mm[1], 3))
        by_size.setdefault((face.piece.kind, size), []).append((name, face))
    seen: set[str] = set()
    for (kind, size), group in by_size.items():
        stem = re.sub(r"[^A-Za-z0-9.-]", "_", kind)
        yield f"{stem}-{size[0]:g}x{size[1]:g}" if kind in seen else stem, group
        seen.add(kind)


def _shared(group: list[tuple[str, Face]], sheets: tuple[Grid, ...]) -> Iterator[tuple[Grid, list[tuple[str, Face]]]]:
    start = 0
    for grid in sheets:
        end = min(start + grid.columns * grid.rows, len(group))
        yield grid, group[start:end]
        start = end
