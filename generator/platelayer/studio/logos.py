"""Logos that are dropped on a company's pieces."""

from __future__ import annotations

import base64
import binascii

from platelayer.definitions.svg.read import read_svg
from platelayer.definitions.svg.tree import SvgError
from platelayer.foundation.pointers import join_pointer
from platelayer.model.company import Company
from platelayer.studio.editing import Editor, Put
from platelayer.studio.folder import Folder, Refused
from platelayer.studio.view import View
from platelayer.studio.workspace import Edit

_FOLDER = "pictures"
_MOST = 100


def logo_of(
    editor: Editor, folder: Folder, view: View, key: str, text: str
) -> tuple[str, list[Edit]]:
    """Make a picture the logo of the company that a piece belongs to: the file that it has become,
    a new one, which stays when the step is taken back, and the edits that name it. Raises
    Refused."""
    company = company_of(view, key)
    picture_id, file = _free(folder, view, company.id)
    short = file.removeprefix(f"{view.at}/") if view.at else file
    pictures, logo = (
        join_pointer("pictures", picture_id),
        join_pointer(company.block, company.id, "logo"),
    )
    editor.do([Put(*editor.place(pictures), short), Put(*editor.place(logo), picture_id)])
    folder.file(file).parent.mkdir(exist_ok=True)
    folder.save(file, text, "")
    return file, editor.edits


def company_of(view: View, key: str) -> Company:
    """The company that a piece belongs to. Raises Refused."""
    origin = view.piece(key).origin[:2]
    for company in view.title.companies:
        if (company.block, company.id) == origin:
            return company
    raise Refused(f"{key} belongs to no company")


def svg_text(name: str, data: str) -> str:
    """A picture that can be painted, from its bytes in base64. Raises Refused."""
    if not name.lower().endswith(".svg"):
        raise Refused(f"{name} is not an SVG file: logos are")
    try:
        found = base64.b64decode(data, validate=True)
        read_svg(found, "logo")
        return found.decode("utf-8-sig")
    except SvgError as error:
        where = f"{name}:{error.line}" if error.line else name
        raise Refused(
            f"{where}: {error.message}" + (f" ({error.hint})" if error.hint else "")
        ) from error
    except (binascii.Error, UnicodeDecodeError) as error:
        raise Refused(f"{name} is not UTF-8 text; save it as UTF-8") from error


def _free(folder: Folder, view: View, company_id: str) -> tuple[str, str]:
    """An id for a picture that no other has, and a file that does not exist."""
    taken = {picture.id for picture in view.title.pictures}
    for number in range(1, _MOST):
        picture_id = company_id if number == 1 else f"{company_id}-{number}"
        file = "/".join(filter(None, (view.at, _FOLDER, f"{picture_id}.svg")))
        if picture_id not in taken and not folder.file(file).exists():
            return picture_id, file
    raise Refused(f"there are {_MOST} logos of {company_id} already")
