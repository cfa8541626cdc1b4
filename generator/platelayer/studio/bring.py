"""Games of other programs, dropped on the page and brought into a folder of their own."""

from __future__ import annotations

import base64
import binascii
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePath

from msgspec import Struct

from platelayer.definitions.pictures import SUFFIX, read_picture
from platelayer.definitions.svg_tree import SvgError
from platelayer.foundation.door import real, unpack
from platelayer.foundation.problems import CannotRun, join_pointer
from platelayer.foundation.resources import asset_path
from platelayer.foundation.values import Json
from platelayer.model.company import Company
from platelayer.pipeline.draw import draw
from platelayer.pipeline.registry import function
from platelayer.pipeline.scaffold import NewTitle, copy_title, new_title
from platelayer.studio.editing import Editor, Put
from platelayer.studio.folder import Folder, Refused
from platelayer.studio.view import View

MOST_BYTES = 24 * 1024 * 1024
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_NAME_WORDS = "name the new title with letters, digits, - and _"


class Dropped(Struct):
    """A file that was dropped: its path in what was dropped, and its bytes in base64."""

    path: str
    data: str


class Named(Struct):
    """A title to be, in a folder of that name: the shipped one that it is a copy of, or what it
    begins with."""

    name: str
    of: str = ""
    start: str = ""
    title: NewTitle = NewTitle()


class Brought(Struct):
    """Files of another program, and the name of the title to make of them."""

    name: str
    files: tuple[Dropped, ...]


def bring(folder: Folder, brought: Brought) -> Json:
    """Import files into a new folder of that name within the studio's, or into
    the studio's own if that is empty. Raises CannotRun, ProblemsFound."""
    into = _place(folder, brought.name)
    with tempfile.TemporaryDirectory(prefix="platelayer-") as place:
        source = _unpack(Path(place) / into.name, brought.files)
        made = function("import_title")(source, into)
    return {
        "at": into.name if into != folder.root else "",
        "files": list(made.files),
        "lost": made.lost,
        "unread": made.unread,
        "waived": made.waived,
        "problems": len(made.problems),
    }


def begin(folder: Folder, new: Named) -> Json:
    """A new title to start from (one of `STARTS`), or a copy of a shipped one. Raises CannotRun."""
    into = _place(folder, new.name)
    files = copy_title(new.of, into) if new.of else new_title(into, new.start, new.title)
    return {
        "at": into.name if into != folder.root else "",
        "files": files,
    }


def preview(new: Named) -> Json:
    """The map that a new title would have, as SVG. Raises CannotRun, ProblemsFound."""
    with tempfile.TemporaryDirectory(prefix="platelayer-") as place:
        folder = Path(place) / "title"
        new_title(folder, new=new.title)
        return {"svg": draw(folder, "map").svg().decode()}


def make_mine(folder: Folder, new: Named) -> Json:
    """A copy of the shipped title that a studio is open on, in a new folder where the studio was
    started. Raises CannotRun."""
    if folder.writable:
        raise CannotRun("this title is yours already")
    if not _NAME.fullmatch(new.name):
        raise CannotRun(_NAME_WORDS)
    into = own_place() / new.name
    return {"files": copy_title(folder.root.name, into), "path": str(into)}


def own_place() -> Path:
    """Folder for a copy of a shipped title: the one in which the studio was started, or the
    person's home if that cannot be written or belongs to Platelayer."""
    here = Path.cwd()
    is_ours = real(here).is_relative_to(real(asset_path()))
    return Path.home() if is_ours or not os.access(here, os.W_OK) else here


def _place(folder: Folder, name: str) -> Path:
    if not folder.writable:
        raise CannotRun(
            "this title comes with Platelayer: open a folder of your own to bring another into it"
        )
    if not folder.root.is_dir():
        raise CannotRun(f"{folder.root} is no longer on disk")
    if folder.is_bare:
        return folder.root
    if not _NAME.fullmatch(name):
        raise CannotRun(_NAME_WORDS)
    return folder.inside(name)


def _unpack(place: Path, files: Sequence[Dropped]) -> Path:
    """Write dropped files into a temporary folder. Return the only file, or the folder that holds
    them all, which is the new one if they were dropped without theirs."""
    if not files:
        raise CannotRun("nothing was dropped")
    for file in files:
        try:
            unpack(place, {file.path: base64.b64decode(file.data, validate=True)})
        except binascii.Error as error:
            raise CannotRun(f"{file.path} cannot be read: {error}") from error
    (first, *others) = sorted(place.iterdir())
    return place if others else first


# Pictures that are dropped or chosen, above all logos.


_FOLDER = "pictures"
_MOST = 100


def add_picture(
    editor: Editor, folder: Folder, view: View, name: str, data: bytes
) -> tuple[str, str]:
    """Add a picture from a file of that name: its id, and the file that it has become, a new one,
    which stays when the step is taken back. Raises Refused."""
    stem, suffix = PurePath(name).stem, PurePath(name).suffix.lower()
    wanted = re.sub(r"[^A-Za-z0-9._+-]+", "-", stem).strip("-._+")
    picture_id, file = _free(folder, view, wanted[:30] or "picture", suffix)
    short = file.removeprefix(f"{view.at}/") if view.at else file
    editor.do([Put(*editor.place(join_pointer("pictures", picture_id)), short)])
    folder.add(file, data)
    return picture_id, file


def company_of(view: View, key: str) -> Company:
    """The company that a piece belongs to. Raises Refused."""
    origin = view.piece(key).origin[:2]
    for company in view.title.companies:
        if (company.block, company.id) == origin:
            return company
    raise Refused(f"{key} belongs to no company")


def picture_data(name: str, data: str) -> bytes:
    """The file of a picture that can be painted, from its bytes in base64. Raises Refused."""
    if not SUFFIX.fullmatch(PurePath(name).suffix):
        raise Refused(f"{name} is no SVG, PNG or JPEG file: logos and pictures are")
    try:
        found = base64.b64decode(data, validate=True)
        pixels = read_picture(name.lower(), found, "logo").pixels
        return pixels.data if pixels else found.decode("utf-8-sig").encode()
    except SvgError as error:
        where = f"{name}:{error.line}" if error.line else name
        raise Refused(
            f"{where}: {error.message}" + (f" ({error.hint})" if error.hint else "")
        ) from error
    except (binascii.Error, UnicodeDecodeError) as error:
        raise Refused(f"{name} is not UTF-8 text; save it as UTF-8") from error


def _free(folder: Folder, view: View, wanted: str, suffix: str) -> tuple[str, str]:
    """An id for a picture that no other has, and a file that does not exist."""
    taken = {picture.id for picture in view.title.pictures}
    for number in range(1, _MOST):
        picture_id = wanted if number == 1 else f"{wanted}-{number}"
        file = "/".join(filter(None, (view.at, _FOLDER, f"{picture_id}{suffix}")))
        if picture_id not in taken and not folder.file(file).exists():
            return picture_id, file
    raise Refused(f"there are {_MOST} pictures called {wanted} already")
