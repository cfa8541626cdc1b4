"""What a page may ask to be done with the files: one small interface, whoever answers it."""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

import msgspec
from msgspec import Struct

from platelayer.foundation.problems import CannotRun
from platelayer.model.gamemap import GameMap
from platelayer.model.hexes import Coord, centre_mm, neighbour
from platelayer.studio.editing import AnyOp, Editor, Stroke
from platelayer.studio.view import View
from platelayer.studio.workspace import Workspace

OUTSIDE = ""
"""The label of a step that somebody else made on disk; a page has words for it."""


class Ask(Struct, tag_field="do", forbid_unknown_fields=True, kw_only=True):
    """Something to do. `at` and `variant` name the title that is looked at."""

    only_looks: ClassVar[bool] = False
    """Whether all stays as it is."""
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


class Since(Ask, tag="since"):
    """The changes of a file since a version of it."""

    only_looks: ClassVar[bool] = True
    name: str
    version: int

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:
        """The changes, each with the page that made it; all of the file if they are too old."""
        changes = workspace.since(self.name, self.version)
        return Open(name=self.name).answer(workspace, view) if changes is None else {"changes": changes}


class Type(Ask, tag="type"):
    """What a page has typed into a version of a file: changes as CodeMirror writes them."""

    name: str
    version: int
    changes: list[list[int | list[int | str]]]
    by: str
    label: str
    group: str = ""

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """The version that it has become."""
        workspace.type(self.name, self.version, self.changes, label=self.label, group=self.group, by=self.by)
        return {"version": workspace.open(self.name).version}


class Change(Ask, tag="edit"):
    """One step of operations."""

    label: str
    ops: list[AnyOp]
    group: str = ""

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:
        """How many edits it took, and whether its stroke took something away."""
        editor = Editor(workspace, view)
        editor.do(self.ops)
        workspace.edit(self.label, editor.edits, group=self.group)
        strokes = [op.take for op in self.ops if isinstance(op, Stroke)]
        return {"edits": len(editor.edits), "took": strokes[-1] if strokes else None}


class Undo(Ask, tag="undo"):
    """The last step back."""

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """What it was."""
        return {"label": workspace.undo()}


class Redo(Ask, tag="redo"):
    """The last step that was taken back, once more."""

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """What it was."""
        return {"label": workspace.redo()}


class Save(Ask, tag="save"):
    """Files to disk; None: those of the title that is looked at, but for those that somebody else has changed."""

    names: list[str] | None = None

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """The files that were saved."""
        own = (name for name in workspace.savable if workspace.folder.title_of(name) == self.at)
        return {"saved": workspace.save(own if self.names is None else self.names)}


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
    """Whether files are saved by themselves."""

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
        """Their printed coordinates, and their centres from that of the first hex, in widths of a hex."""
        boards = [board for board in view.title.maps if board.id == self.map] if view else []
        if not boards:
            raise CannotRun(f"there is no map {self.map!r}")
        return {"places": _empty_places(boards[0])}


class Names(Ask, tag="names"):
    """What there is to refer to."""

    only_looks: ClassVar[bool] = True

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """Ids by kind of thing, each in the order of the title; and the kinds that may be named, by where."""
        from platelayer.studio.names import KINDS_NAMED, names_of

        return {"names": names_of(view.loaded if view else None), "where": KINDS_NAMED}


class Things(Ask, tag="things"):
    """What there is to go to, and to rename."""

    only_looks: ClassVar[bool] = True

    def answer(self, workspace: Workspace, view: View | None) -> dict[str, Any]:  # noqa: ARG002
        """Each with what it is called and where it is."""
        from platelayer.studio.finding import things

        return {"things": things(view)}


AnyAsk: TypeAlias = (
    Open | Since | Type | Change | Undo | Redo | Save | Revert | Settle | Autosave | Empty | Names | Things
)


def asked(data: bytes) -> AnyAsk:
    """What a page asks for. Raises CannotRun for anything else."""
    try:
        ask: AnyAsk = msgspec.json.decode(data, type=AnyAsk)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CannotRun(f"this cannot be asked for: {error}") from error
    return ask


def news(workspace: Workspace) -> dict[str, Any]:
    """What a page is told of the files after each step."""
    return {
        "revision": workspace.revision,
        "versions": workspace.versions,
        "unsaved": workspace.unsaved,
        "conflicts": workspace.conflicts,
        "undo": workspace.next_undo,
        "redo": workspace.next_redo,
    }


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


def _box(places: set[Coord]) -> set[Coord]:
    xs, ys = [at.x for at in places], [at.y for at in places]
    return {Coord(x, y) for x in range(min(xs), max(xs) + 1) for y in range(min(ys), max(ys) + 1)}
