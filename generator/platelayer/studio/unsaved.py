"""Texts that are not saved, kept for the next studio of their folder: beside its files, or
elsewhere."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from platelayer.foundation.cache import caches
from platelayer.foundation.door import NotRead, inside, is_own, read_json
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.write import write_all
from platelayer.studio.folder import Folder
from platelayer.studio.workspace import Kept

_NAME = "unsaved.json"
_MOST_BYTES = 64 * 1024 * 1024


class Unsaved:
    """Store of the unsaved texts of a folder. `why` they could not be kept beside its files, and
    the file `elsewhere` that holds them; None if there is no place for it."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self.elsewhere: Path | None = None
        self.why = ""

    def keep(self, data: bytes) -> None:
        """Keep texts, as JSON by the names of their files, in place of those kept before; empty:
        none."""
        self.elsewhere, self.why = None, ""
        try:
            self._folder.keep(_NAME, data)
        except CannotRun as error:
            if data:
                self.why = str(error)
                self._keep_elsewhere(data)
                return
        for path in self._places():
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def _keep_elsewhere(self, data: bytes) -> None:
        for path in self._places():
            with suppress(CannotRun, OSError):
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                if is_own(path.parent.stat()):
                    write_all(path.parent, {path.name: data})
                    read_json(path, dict[str, Kept], _MOST_BYTES, own=True)
                    self.elsewhere = path
                    return

    def kept(self) -> dict[str, Kept]:
        """The texts that the last studio of the folder has kept; those elsewhere are the newest."""
        for path in self._places():
            with suppress(CannotRun):
                return read_json(path, dict[str, Kept], _MOST_BYTES, own=True)
        with suppress(NotRead):
            return self._folder.kept(_NAME, dict[str, Kept])
        return {}

    def tell(self) -> None:
        """Raises CannotRun if texts could not be kept beside their files."""
        if self.elsewhere is not None:
            raise CannotRun(
                f"{self.why}; what is not saved is in {self.elsewhere}, and the next studio of this folder shows it"
            )
        if self.why:
            raise CannotRun(
                f"{self.why}; what was not saved is lost: there was no other place to keep it"
            )

    def _places(self) -> Iterator[Path]:
        """Files in folders of the user's that belong to this folder alone; nobody else's are
        read."""
        name = f"{sha256(os.fsencode(self._folder.root)).hexdigest()[:16]}.json"
        with suppress(RuntimeError, CannotRun):  # nobody's home
            yield inside(caches(), f"platelayer/unsaved/{name}")
        with suppress(CannotRun):
            yield inside(Path(tempfile.gettempdir()), f"platelayer-unsaved-{_user()}/{name}")


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0
