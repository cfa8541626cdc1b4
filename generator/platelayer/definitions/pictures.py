"""Pictures of a title: SVG files in its folder."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import replace

from platelayer.definitions.assemble import Assembled, file_in_folder
from platelayer.definitions.svg.read import MAX_BYTES, read_svg
from platelayer.definitions.svg.tree import SvgError
from platelayer.definitions.svg.work import MAX_WORK_OF_TITLE, Work, work_of
from platelayer.foundation.door import NotRead, read_start
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Place, Problem, ProblemsFound
from platelayer.model.described import text_or_none
from platelayer.model.picture import Picture
from platelayer.model.title import Title


def read_pictures(whole: Assembled) -> tuple[tuple[Picture, ...], list[Problem]]:
    """The pictures that a title names, and what is wrong with their files: RF08, FI01 and PI01."""
    pictures: list[Picture] = []
    problems: list[Problem] = []
    work = Work()
    read: dict[str, Picture] = {}
    named = {} if "pictures" in whole.unsound else whole.value.get("pictures", {})
    for picture_id, entry in named.items():
        given = entry if isinstance(entry, dict) else {"file": entry}
        pointer = join_pointer(
            "pictures", picture_id, *(["file"] if isinstance(entry, dict) else [])
        )
        try:
            if (file := given["file"]) not in read:
                read[file] = _read(whole, picture_id, file, pointer, work)
        except ProblemsFound as error:
            problems += error.problems
            continue
        pictures.append(replace(read[file], id=picture_id, name=text_or_none(given.get("name"))))
    return tuple(pictures), problems


def _read(whole: Assembled, picture_id: str, name: str, pointer: str, work: Work) -> Picture:
    path, file = file_in_folder(whole, name, pointer, pattern="*.svg")
    try:
        return read_svg(read_start(path, MAX_BYTES + 1), picture_id, work)
    except NotRead as error:
        problem = Problem(
            code=error.code, message=f"the picture cannot be read: {error.reason}", hint=error.hint
        )
        raise ProblemsFound([problem.at(whole.place(pointer))]) from error
    except SvgError as error:
        place = Place(file, "", error.line, 1 if error.line else 0)
        problem = Problem(
            code="PI01", message=f'picture "{picture_id}": {error.message}', hint=error.hint
        ).at(place)
        raise ProblemsFound([problem]) from error


def crowded_maps(whole: Assembled, title: Title) -> Iterator[Problem]:
    """PI01 for maps whose pictures take too long to paint."""
    work = {picture.id: math.fsum(map(work_of, picture.layers)) for picture in title.pictures}
    for gamemap in title.maps if work else ():
        shown = [
            icon.name
            for hexagon in gamemap.hexes
            for icon in hexagon.tile.icons
            if icon.name in work
        ]
        steps = math.fsum(work[name] for name in shown)
        if steps > MAX_WORK_OF_TITLE:
            message = f'map "{gamemap.id}" shows pictures {len(shown)} times, which takes {steps:.0f} steps to paint'
            hint = f'simplify "{max(shown, key=work.__getitem__)}"'
            place = whole.place(join_pointer("maps", gamemap.id))
            yield Problem(
                code="PI01",
                message=f"{message}; at most {MAX_WORK_OF_TITLE} are allowed",
                hint=hint,
            ).at(place)
