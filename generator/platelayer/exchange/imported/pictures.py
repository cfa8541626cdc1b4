"""Pictures that lie beside another program's game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from platelayer.definitions.svg.read import MAX_BYTES, read_svg
from platelayer.definitions.svg.tree import SvgError
from platelayer.definitions.svg.work import Work
from platelayer.definitions.svg.write import write_svg
from platelayer.exchange.names import in_words, mark, safe_id, unused
from platelayer.foundation.door import is_there, read_bytes

_NAME = re.compile(r"(?!.*\.\.)[^/\\\0][^\\\0]{0,119}")
_MOST = 200


class Pictures(Struct, kw_only=True):
    """SVG files by their names in folders of kinds (logos, icons); `files` are those that were
    found and are flat shapes, by the ids that the title gives them; words of those in `set_anew`
    became outlines of our own faces, and `names` are what legends call them."""

    folders: dict[str, Path] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    ids: dict[tuple[str, str], str | None] = field(default_factory=dict)
    work: Work = field(default_factory=Work)
    set_anew: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def find(self, kind: str, name: str) -> str | None:
        """The id of a picture by its name, such as "1846/B&O"; None where there is none that can be
        drawn."""
        if (kind, name) not in self.ids:
            self.ids[kind, name] = self._read(kind, name)
        return self.ids[kind, name]

    def _read(self, kind: str, name: str) -> str | None:
        folder = self.folders.get(kind)
        if folder is None or not _NAME.fullmatch(name) or len(self.files) >= _MOST:
            return None
        path = folder / f"{name.removesuffix('.svg')}.svg"
        if not is_there(path):
            return None
        data = read_bytes(path, MAX_BYTES, within=folder)
        picture_id = unused(safe_id(name.rsplit("/", 1)[-1]), self.files)
        try:
            self.files[picture_id] = self._flat(data, picture_id)
        except SvgError:
            return None
        return picture_id

    def _flat(self, data: bytes, picture_id: str) -> bytes:
        """A file as it is, if a title can show it; with its words as outlines, if that is all it
        needs. Raises SvgError."""
        try:
            read_svg(data, picture_id, self.work)
        except SvgError:
            picture = read_svg(data, picture_id, self.work, set_text=True)
            self.set_anew.append(picture_id)
            return write_svg(picture)
        return data

    def name_icons(self, companies: Mapping[str, str]) -> None:
        """Give icons the names that legends call them by: that of the company whose mark they are,
        with or without a number, or the words of their file. `companies` are names by mark (see
        names.mark)."""
        for (kind, path), picture_id in self.ids.items():
            if kind == "icons" and picture_id is not None:
                word = mark(path.rsplit("/", 1)[-1].removesuffix(".svg"))
                name = (
                    companies.get(word)
                    or companies.get(word.rstrip("0123456789"))
                    or in_words(path)
                )
                if name:
                    self.names[picture_id] = name[:60]

    def block(self) -> dict[str, str | dict[str, str]]:
        """The block `pictures` of a title."""
        return {
            picture_id: {"file": path, "name": self.names[picture_id]}
            if picture_id in self.names
            else path
            for picture_id, path in ((name, f"pictures/{name}.svg") for name in self.files)
        }
