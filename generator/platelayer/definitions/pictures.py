"""Pictures of a title: SVG files in its folder."""

from __future__ import annotations

from platelayer.definitions.assemble import Assembled, file_in_folder
from platelayer.definitions.build_board import build_text_or_none
from platelayer.definitions.svg.read import MAX_BYTES, read_svg
from platelayer.definitions.svg.tree import SvgError
from platelayer.foundation.files import read_at_most
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Place, Problem, ProblemsFound
from platelayer.model.picture import Picture


def read_pictures(whole: Assembled) -> tuple[tuple[Picture, ...], list[Problem]]:
    """The pictures that a title names, and what is wrong with their files: RF08, FI01 and PI01."""
    found: list[Picture] = []
    problems: list[Problem] = []
    named = {} if "pictures" in whole.unsound else whole.value.get("pictures", {})
    for picture_id, entry in named.items():
        given = entry if isinstance(entry, dict) else {"file": entry}
        pointer = join_pointer("pictures", picture_id, *(["file"] if isinstance(entry, dict) else []))
        try:
            picture = _read(whole, picture_id, given["file"], pointer)
        except ProblemsFound as stop:
            problems += stop.problems
            continue
        name = build_text_or_none(given.get("name"))
        found.append(
            Picture(id=picture.id, width=picture.width, height=picture.height, layers=picture.layers, name=name)
        )
    return tuple(found), problems


def _read(whole: Assembled, picture_id: str, name: str, pointer: str) -> Picture:
    path, file = file_in_folder(whole, name, pointer, pattern="*.svg")
    try:
        return read_svg(read_at_most(path, MAX_BYTES + 1), picture_id)
    except OSError as stop:
        message = f"the picture cannot be read: {stop.strerror or stop}"
        raise ProblemsFound([Problem(code="FI01", message=message).at(whole.place(pointer))]) from stop
    except SvgError as fault:
        place = Place(file, "", fault.line, 1 if fault.line else 0)
        problem = Problem(code="PI01", message=f'picture "{picture_id}": {fault.message}', hint=fault.hint).at(place)
        raise ProblemsFound([problem]) from fault
