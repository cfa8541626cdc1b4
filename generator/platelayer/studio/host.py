"""Requests of a page about the files: one small interface for a server and a worker."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Struct

from platelayer.definitions.edits import text_at
from platelayer.foundation.door import NotRead, parse_value
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.model.gamemap import GameMap
from platelayer.model.hexes import Coord, Layout, centre_mm, neighbour
from platelayer.studio.bring import logo_of, svg_text
from platelayer.studio.catalogue import box, catalogue, look
from platelayer.studio.editing import AddHexes, AnyOp, Editor, Painting, Stroke
from platelayer.studio.folder import Refused
from platelayer.studio.moments import compared
from platelayer.studio.pictures import hex_pictures
from platelayer.studio.view import View
from platelayer.studio.workspace import READ_ONLY, Workspace

# The label of a step that somebody else made on disk; a page has words for it.
OUTSIDE = ""
# By so many rows a map grows at most in one step.
_MOST_ROWS = 6


class Ask(Struct, tag_field="do", forbid_unknown_fields=True, kw_only=True):
    """Something to do. `at` and `variant` name the title that is looked at."""

    # Whether all stays as it is.
    only_looks: ClassVar[bool] = False
    at: str = ""
    variant: str | None = None

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:
        """Do it. Raises CannotRun, Refused."""
        raise NotImplementedError


class Open(Ask, tag="open"):
    """A file as it is edited."""

    only_looks: ClassVar[bool] = True
    name: str

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """Its text, the version of that, and where it is."""
        file = workspace.open(self.name)
        path = str(workspace.folder.file(self.name))
        return {"text": file.text, "version": file.version, "digest": file.digest, "path": path}


class Values(Ask, tag="values"):
    """The values at pointers of a file as it is edited."""

    only_looks: ClassVar[bool] = True
    name: str
    pointers: list[str]

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """Their texts, None where there is none. Raises Refused for a file that is no JSON."""
        text = workspace.open(self.name).text
        try:
            parse_value(text, name=self.name)
        except NotRead as error:
            raise Refused(
                f"{self.name} cannot be read as it is now: correct it first, or undo"
            ) from error
        return {"texts": [_text_at(text, pointer) for pointer in self.pointers]}


class Since(Ask, tag="since"):
    """The changes of a file since a version of it."""

    only_looks: ClassVar[bool] = True
    name: str
    version: int

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:
        """The changes, each with the page that made it; all of the file if they are too old."""
        changes = workspace.since(self.name, self.version)
        return (
            Open(name=self.name).answer(workspace, view)
            if changes is None
            else {"changes": changes}
        )


class Type(Ask, tag="type"):
    """Changes typed into a version of a file, as CodeMirror writes them."""

    name: str
    version: int
    changes: list[list[int | list[int | str]]]
    by: str
    label: str
    group: str = ""

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """The version that it has become."""
        workspace.type(
            self.name, self.version, self.changes, label=self.label, group=self.group, by=self.by
        )
        return {"version": workspace.open(self.name).version}


class Change(Ask, tag="edit"):
    """One step of operations."""

    label: str
    ops: list[AnyOp]
    group: str = ""
    language: str = ""
    theme: str = ""

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:
        """Number of edits; true if the stroke removed something; the revision of the files; and the
        painted hexes, as they look in a language and a theme, if these are named."""
        editor = Editor(workspace, view)
        editor.do(self.ops)
        workspace.edit(self.label, editor.edits, group=self.group)
        strokes = [op.take for op in self.ops if isinstance(op, Painting)]
        took = strokes[-1] if strokes else None
        return {"edits": len(editor.edits), "took": took, "revision": workspace.revision,
                "hexes": self._hexes(workspace, view)}  # fmt: skip

    def _hexes(self, workspace: Workspace, view: View | None) -> dict[str, str]:
        from platelayer.definitions.themes import theme_ids

        painted = [op for op in self.ops if isinstance(op, (Stroke, AddHexes))]
        pictures: dict[str, str] = {}
        if painted and view is not None and self.theme in theme_ids():
            view.reload(workspace.texts)
            with suppress(CannotRun, ProblemsFound):
                for op in painted:
                    pictures |= hex_pictures(view, op.map, op.hexes, self.language, self.theme)
        return pictures


class Undo(Ask, tag="undo"):
    """The last step back."""

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """The former state."""
        return {"label": workspace.undo()}


class Redo(Ask, tag="redo"):
    """The last step that was taken back, once more."""

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """The former state."""
        return {"label": workspace.redo()}


class Save(Ask, tag="save"):
    """Files to disk; None: those of the title that is looked at, but for those that somebody else
    has changed."""

    names: list[str] | None = None

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """The files that were saved."""
        own = [name for name in workspace.savable if workspace.folder.title_of(name) == self.at]
        saved = workspace.save(own if self.names is None else self.names)
        if self.names is None:
            workspace.moments.save(self.at)
        return {"saved": saved}


class Revert(Ask, tag="revert"):
    """Back to what was last saved."""

    label: str

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """Nothing more."""
        workspace.revert(self.label)
        return {}


class Settle(Ask, tag="settle"):
    """Whose text of a file stays that somebody else has changed on disk as well."""

    name: str
    mine: bool

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """Nothing more."""
        workspace.settle(self.name, mine=self.mine, label=OUTSIDE)
        return {}


class Autosave(Ask, tag="autosave"):
    """Turn automatic saving on or off."""

    on: bool

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """Nothing more."""
        workspace.autosave = self.on
        return {}


class Empty(Ask, tag="empty_places"):
    """Places on and around a map where there is no hex."""

    only_looks: ClassVar[bool] = True
    map: str

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """Their printed coordinates, and their centres from that of the first hex, in widths of a
        hex; and on each side the hexes of the rows by which the map may grow, the nearest row
        first."""
        boards = [board for board in view.title.maps if board.id == self.map] if view else []
        if not boards:
            raise CannotRun(f"there is no map {self.map!r}")
        return {"places": _empty_places(boards[0]), "sides": _sides(boards[0])}


class Names(Ask, tag="names"):
    """List the names that can be referred to."""

    only_looks: ClassVar[bool] = True

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """Ids by kind of thing, each in the order of the title; the kinds that may be named, by
        where; and the colours of inks as #rrggbb."""
        from platelayer.studio.catalogue import KINDS_NAMED, inks, names_of

        return {
            "names": names_of(view.loaded if view else None),
            "where": KINDS_NAMED,
            "inks": inks(),
        }


class Colour(Ask, tag="colour"):
    """Judge a colour, #rrggbb or the name of an ink of a theme. `on` is the colour to tell it from,
    or its ground; `company` the one whose `field` it is."""

    only_looks: ClassVar[bool] = True
    colour: str
    theme: str = "classic"
    on: str = ""
    company: str = ""
    field: Literal["colour", "second", "text_colour", ""] = ""

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """The verdict: what reads best on it, how well, and companies whose tokens look like its
        own."""
        from platelayer.studio.catalogue import verdict

        loaded = view.loaded if view else None
        return verdict(
            loaded,
            self.colour,
            theme=self.theme,
            on=self.on,
            company=self.company,
            field=self.field,
        )


class Catalogue(Ask, tag="catalogue"):
    """The tiles of the catalogue."""

    only_looks: ClassVar[bool] = True

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """Facts about each tile for a search, in the catalogue's order."""
        return {"tiles": catalogue()}


class Box(Ask, tag="box"):
    """The tiles in the box of the title."""

    only_looks: ClassVar[bool] = True

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """The same of each, how many there are, and whether it is the title's own; and the version
        of the pictures of tiles that are not in it."""
        if view is None or view.loaded is None:
            raise CannotRun("there is no title here yet")
        return {"tiles": box(view.title), "version": look(view)}


class AllMoments(Ask, tag="moments"):
    """List the moments that the title can be compared with."""

    only_looks: ClassVar[bool] = True

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """The moments, each with its kind and time."""
        return {"moments": [moment._asdict() for moment in workspace.moments.all(self.at)]}


class Compare(Ask, tag="compare"):
    """The title with itself at a moment, drawn in a language and a theme."""

    only_looks: ClassVar[bool] = True
    then: str
    language: str = "en"
    theme: str = "classic"

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:
        """The pieces and hexes that look different, and a digest of how it was."""
        from platelayer.definitions.themes import theme_ids

        if view is None or view.loaded is None or self.theme not in theme_ids():
            raise CannotRun("there is nothing to compare")
        before, digest = workspace.moments.view(self.at, self.variant, self.then)
        return {"digest": digest, **compared(view, before, self.language, self.theme)}


class Logo(Ask, tag="logo"):
    """A picture, by its name and its bytes in base64, as the logo of the company that a piece
    belongs to."""

    key: str
    name: str
    data: str
    label: str

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:
        """The file that it has become."""
        if view is None or not workspace.folder.writable:
            raise CannotRun(READ_ONLY if view else "there is no title to edit here yet")
        file, edits = logo_of(
            Editor(workspace, view),
            workspace.folder,
            view,
            self.key,
            svg_text(self.name, self.data),
        )
        workspace.edit(self.label, edits)
        return {"file": file}


class Things(Ask, tag="things"):
    """List the things to go to, and to rename."""

    only_looks: ClassVar[bool] = True

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """Each with what it is called and where it is."""
        from platelayer.studio.catalogue import things

        return {"things": things(view)}


AnyAsk: TypeAlias = (
    Open
    | Values
    | Since
    | Type
    | Change
    | Undo
    | Redo
    | Save
    | Revert
    | Settle
    | Autosave
    | Empty
    | Names
    | Colour
    | Catalogue
    | Box
    | AllMoments
    | Compare
    | Logo
    | Things
)


def asked(data: bytes) -> AnyAsk:
    """Decode a request. Raises CannotRun for anything else."""
    try:
        ask: AnyAsk = msgspec.json.decode(data, type=AnyAsk)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CannotRun(f"this cannot be asked for: {error}") from error
    return ask


def news(workspace: Workspace) -> dict[str, Any]:
    """State of the files for a page, after each step."""
    return {
        "revision": workspace.revision,
        "versions": workspace.versions,
        "unsaved": workspace.unsaved,
        "conflicts": workspace.conflicts,
        "undo": workspace.next_undo,
        "redo": workspace.next_redo,
    }


def _text_at(text: str, pointer: str) -> str | None:
    try:
        return text_at(text, pointer)
    except KeyError:
        return None


def _empty_places(board: GameMap) -> list[tuple[str, float, float]]:
    """Places within the bounds of a map and one step around them."""
    taken = {hexagon.at for hexagon in board.hexes}
    rim = {neighbour(at, edge, board.layout) for at in taken for edge in range(6)} | taken
    first = board.hexes[0].at
    x_0, y_0 = centre_mm(first, board.layout, 1)
    found = []
    for at in sorted(_box(rim) - taken):
        name = board.scheme.name(at)
        if (at.x + at.y - first.x - first.y) % 2 == 0 and board.scheme.parse(name) == at:
            x, y = centre_mm(at, board.layout, 1)
            found.append((name, round(x - x_0, 4), round(y - y_0, 4)))
    return found


def _sides(board: GameMap) -> dict[str, list[list[str]]]:
    """Rows of hexes beside the bounds of a map, by side. A row ends where the scheme has no
    coordinates."""
    taken = [hexagon.at for hexagon in board.hexes if not hexagon.apart] or [board.hexes[0].at]
    xs, ys = [at.x for at in taken], [at.y for at in taken]
    wide, high = range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)
    # Doubled coordinates: across the columns of a flat layout one step is a column, along them two
    # are a hex.
    step_x, step_y = (1, 2) if board.layout is Layout.FLAT else (2, 1)
    odd = (taken[0].x + taken[0].y) % 2
    found: dict[str, list[list[str]]] = {"left": [], "right": [], "top": [], "bottom": []}
    for number in range(_MOST_ROWS):
        x, y = number * step_x, number * step_y
        beside = {
            "left": (range(wide.start - x - step_x, wide.start - x), high),
            "right": (range(wide.stop + x, wide.stop + x + step_x), high),
            "top": (wide, range(high.start - y - step_y, high.start - y)),
            "bottom": (wide, range(high.stop + y, high.stop + y + step_y)),
        }
        for side, (columns, rows) in beside.items():
            places = [Coord(x, y) for x in columns for y in rows if (x + y) % 2 == odd]
            names = [board.scheme.name(at) for at in places]
            known = all(
                board.scheme.parse(name) == at for name, at in zip(names, places, strict=True)
            )
            if known and len(found[side]) == number:
                found[side].append(names)
    return found


def _box(places: set[Coord]) -> set[Coord]:
    xs, ys = [at.x for at in places], [at.y for at in places]
    return {Coord(x, y) for x in range(min(xs), max(xs) + 1) for y in range(min(ys), max(ys) + 1)}
