"""Prints that a page asks for: one at a time, with its progress, its files kept until the next."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from platelayer.foundation.pool import available_processes
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.pipeline.build import Print, build
from platelayer.pipeline.options import BuildOptions
from platelayer.pipeline.write import UNFINISHED

Tell = Callable[[dict[str, Any]], None]
"""Takes news of a print, from any thread."""
_STAMP = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive, which therefore has the same bytes each time."""


def archive(
    folder: str, files: Mapping[str, bytes], compression: int = zipfile.ZIP_STORED
) -> bytes:
    """Files in one archive, in a folder there."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as opened:
        for name, data in files.items():
            opened.writestr(zipfile.ZipInfo(f"{folder}/{name}", _STAMP), data, compression)
    return stream.getvalue()


class Printer:
    """Builds titles beside the pictures, in a thread of its own that shares the work among
    processes, or by the hand that is given."""

    def __init__(self, tell: Tell, hand: Executor | None = None) -> None:
        self._tell = tell
        self._hand = hand or ThreadPoolExecutor(1, thread_name_prefix="print")
        self._number = 0
        self._busy = False
        self.done: Print | None = None

    def start(self, folder: Path, options: BuildOptions) -> int:
        """Begin a print; its number. Raises CannotRun while another is being made."""
        if self._busy:
            raise CannotRun("another print is being made")
        self._busy = True
        self._number += 1
        self._hand.submit(self._build, self._number, folder, options)
        return self._number

    def _build(self, number: int, folder: Path, options: BuildOptions) -> None:
        def progress(stage: str, done: int, of: int) -> None:
            self._tell({"print": number, "stage": stage, "done": done, "of": of})

        try:
            self.done = None
            made = build(str(folder), options, progress=progress, processes=available_processes())
            self.done = made
            files = [{"name": name, "bytes": len(data)} for name, data in made.files.items()]
            self._tell(
                {"print": number, "files": files, "pages": made.pages, "pieces": made.pieces}
            )
        except ProblemsFound as error:
            self._tell(
                {"print": number, "problems": [problem.as_json for problem in error.problems]}
            )
        except (CannotRun, OSError) as error:
            self._tell({"print": number, "message": str(error)})
        except Exception as error:
            self._tell(
                {
                    "print": number,
                    "message": f"this print has failed: {type(error).__name__} {error}"[:400],
                }
            )
            raise
        finally:
            self._busy = False

    def file(self, name: str) -> bytes:
        """A file of the last print. Raises CannotRun."""
        if self.done is None or name not in self.done.files:
            raise CannotRun(f"the last print has no {name}")
        return self.done.files[name]

    def archive(self) -> bytes:
        """All files of the last print in one. Raises CannotRun."""
        if self.done is None:
            raise CannotRun("nothing has been printed yet")
        return archive(self.done.title, self.done.files)

    def write(self, folder: Path) -> tuple[Path, ...]:
        """Write the last print into a folder, as `platelayer build -o` does. Raises CannotRun."""
        if self.done is None or UNFINISHED in folder.parts:
            raise CannotRun("nothing has been printed yet")
        return self.done.write(folder)

    def close(self) -> None:
        """Wait for nothing more."""
        self._hand.shutdown(wait=False, cancel_futures=True)
