"""Pictures of pieces, cached until their look changes; sheets; prints."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import asdict, astuple, replace

from platelayer.definitions.themes import profile_ids
from platelayer.drawing.map.board import draw_hex
from platelayer.foundation.pool import available_processes
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound
from platelayer.foundation.values import Json
from platelayer.imposition.paper import Document
from platelayer.model.kinds import piece_size
from platelayer.model.options import OPTIONS
from platelayer.pipeline.build import Prepared, Print, build, prepare, read_options
from platelayer.pipeline.draw import Picture
from platelayer.pipeline.faces import drawing_faults
from platelayer.pipeline.job import BuildOptions
from platelayer.render.svg import render_svg
from platelayer.scene.shapes import Scene
from platelayer.studio.folder import Recent
from platelayer.studio.view import PREFIX, View, catalogue_scene

_MOST_BYTES = 4 * 1024 * 1024
# Number of pictures in layers whose items are cached for comparison.
_MOST_IN_LAYERS = 4

# Key of a piece, a language and a theme.
Looks = tuple[str, str, str]


class Face(Struct, frozen=True, kw_only=True):
    """One face of a piece as SVG: its label, its size in mm and, for a board, the centres of its
    hexes. A picture that is split into layers has their names, bottom layer first, instead of
    the SVG."""

    label: str
    width_mm: float
    height_mm: float
    svg: bytes = b""
    layers: tuple[str, ...] = ()
    places: tuple[tuple[str, float, float], ...] = ()

    @property
    def about(self) -> Json:
        """Everything but the SVG."""
        return {name: value for name, value in asdict(self).items() if name != "svg"}


class Pictures:
    """Cache of pictures of pieces. Of a picture in layers, only the layers that look different are
    painted again."""

    def __init__(self) -> None:
        self._layers = Recent[str, bytes](_MOST_BYTES, len)
        self._last = Recent[Looks, dict[tuple[int, int], tuple[tuple[Any, ...], str]]](
            _MOST_IN_LAYERS
        )

    def faces(self, view: View, key: str, language: str, theme: str) -> tuple[Face, ...]:
        """Return the faces of a piece: its pages, then its back. Raises CannotRun if the piece does
        not exist, ProblemsFound if it cannot be drawn."""
        return tuple(
            self._in_layers(scene, label, number, (key, language, theme))
            if scene.cuts
            else painted(scene, label)
            for number, (label, scene) in enumerate(_scenes(view, key, language, theme).items())
        )

    def face(self, view: View, key: str, language: str, theme: str, number: int) -> Face:
        """Return one face, by its number from 0, as a single SVG. Raises as `faces` does."""
        label, scene = _scene(view, key, language, theme, number)
        return painted(scene, label)

    @property
    def kept(self) -> frozenset[str]:
        """Names of the cached layers."""
        return frozenset(self._layers)

    def layer(self, name: str) -> bytes | None:
        """Return a layer from the cache; None if it is not there any more."""
        return self._layers.used(name)

    def _in_layers(self, scene: Scene, label: str, number: int, looks: Looks) -> Face:
        """Return a picture in layers. Layers that have not changed since the last call are not
        painted again."""
        last = self._last.keep(looks, self._last.get(looks, {}))
        names = []
        for at, items in enumerate(scene.layers):
            layer = replace(scene, items=items, cuts=(), label="", places=())
            # Compare the size too: the same items on a larger page make a different picture.
            before, name = last.get((number, at), ((), ""))
            if before != astuple(layer) or self.layer(name) is None:
                svg = painted(layer, label).svg
                name = blake2b(svg, digest_size=12).hexdigest()
                self._layers.keep(name, svg)
            last[number, at] = astuple(layer), name
            names.append(name)
        return Face(
            label=label,
            width_mm=scene.width_mm,
            height_mm=scene.height_mm,
            layers=tuple(names),
            places=scene.places,
        )


def pdf(view: View, key: str, language: str, theme: str, number: int) -> bytes:
    """Return one face of a piece, by its number from 0, as a PDF of one page. Raises as
    `Pictures.face` does."""
    _, scene = _scene(view, key, language, theme, number)
    return Picture(scene, f"{view.title.name.get(language)}: {scene.label}").pdf()


def _scene(view: View, key: str, language: str, theme: str, number: int) -> tuple[str, Scene]:
    """Return the label and scene of one face of a piece. Raises CannotRun, ProblemsFound."""
    scenes = list(_scenes(view, key, language, theme).items())
    if not 0 <= number < len(scenes):
        raise CannotRun(f"{key} has {len(scenes)} faces")
    return scenes[number]


def _scenes(view: View, key: str, language: str, theme: str) -> dict[str, Scene]:
    """Return the faces of a piece as scenes by label. Raises ProblemsFound."""
    if key.startswith(PREFIX):
        return {"front": catalogue_scene(view, key, language, theme)}
    piece, sources = view.piece(key), view.sources(language, theme)
    problems: list[Problem] = []
    with drawing_faults(piece, problems):
        fronts, back, _ = view.drawn(piece, sources)
    if problems:
        raise ProblemsFound(problems)
    scenes = {
        f"page {number}" if number > 1 else "front": scene for number, scene in enumerate(fronts, 1)
    }
    return scenes | ({"back": back} if back is not None else {})


def hex_pictures(
    view: View, map_id: str, names: Sequence[str], language: str, theme: str
) -> dict[str, str]:
    """Draw single hexes of a map as SVG, by name. A page shows them on the map until all of it has
    been drawn again."""
    board = next((board for board in view.title.maps if board.id == map_id), None)
    if board is None:
        return {}
    across_mm, style = piece_size(view.title, "map", map_id).width_mm, view.style(language, theme)
    hexes = (board.by_id[name] for name in names if name in board.by_id)
    return {
        hexagon.id: render_svg(draw_hex(hexagon, board.layout, across_mm, style)).decode()
        for hexagon in hexes
    }


def painted(scene: Scene, label: str) -> Face:
    """Return a scene as a face with its SVG."""
    return Face(
        label=label,
        width_mm=scene.width_mm,
        height_mm=scene.height_mm,
        svg=render_svg(scene),
        places=scene.places,
    )


# Sheets as they will be printed, page by page.


# Options of a print that a page may set: those of the command line, without the user's files.
_SETTABLE = tuple(
    name
    for name, option in OPTIONS.items()
    if option.switches and not option.mark.file and name != "profile"
)


def options_of(options: Json) -> BuildOptions:
    """Return the options that a page requests, on top of those of a shipped profile. Raises
    CannotRun, ProblemsFound, and ValidationError for layouts and sizes that are not texts by
    name."""
    profile = options.get("profile") or "home"
    if profile not in profile_ids():
        raise CannotRun(f"there is no profile {profile!r}; use {', '.join(profile_ids())}")
    if unknown := options.keys() - {*_SETTABLE, "profile"}:
        raise CannotRun(f"there is no option {min(unknown)!r}; use {', '.join(_SETTABLE)}")
    given = {
        name: options[name] for name in _SETTABLE if options.get(name) not in (None, "", [], {})
    }
    for name, value in given.items():
        if OPTIONS[name].pairs:
            given[name] = tuple(convert(value, dict[str, str]).items())
    return read_options(profile, given)


class Sheets:
    """Sheets of one title in its current state. Each document is laid out when it is first
    shown."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._ready: Prepared | None = None
        self._documents: dict[str, Document] = {}

    def documents(self, view: View, options: Json) -> list[Json]:
        """List the documents of a print with their file stems, names and kinds of pieces. Raises as
        `prepare` does."""
        ready = self._prepared(view, options)
        kinds = {piece.kind for piece in ready.chosen}
        language = ready.job.style.language
        return [
            {
                "stem": plan.stem,
                "name": plan.name.get(language),
                "kinds": [kind for kind in plan.kinds if kind in kinds],
            }
            for plan in ready.job.plan
            if kinds.intersection(plan.kinds)
        ]

    def pages(self, view: View, options: Json, stem: str) -> list[dict[str, float]]:
        """List the sizes of the pages of a document, in mm."""
        return [
            {"width_mm": page.scene.width_mm, "height_mm": page.scene.height_mm}
            for page in self._document(view, options, stem).pages
        ]

    def page(self, view: View, options: Json, stem: str, number: int) -> Face:
        """Return one page of a document, counted from 1, as a picture. Raises CannotRun."""
        pages = self._document(view, options, stem).pages
        if not 1 <= number <= len(pages):
            raise CannotRun(f"{stem} has {len(pages)} pages")
        return painted(pages[number - 1].scene, f"{stem} {number}")

    def _prepared(self, view: View, options: Json) -> Prepared:
        now = (str(view.folder), view.revision, repr(sorted(options.items())))
        if self._ready is None or self._of != now:
            ready = prepare(str(view.folder), options_of(options))
            if ready.job.options.output != "sheets":
                raise CannotRun(
                    f"{ready.job.profile.name.get('en')} takes single cards, which are on no sheets"
                )
            self._of, self._ready, self._documents = now, ready, {}
        return self._ready

    def _document(self, view: View, options: Json, stem: str) -> Document:
        # Imported late: it loads the PDF painters, which only sheets need.
        from platelayer.pipeline.produce import lay_out

        ready = self._prepared(view, options)
        if stem not in self._documents:
            kinds = [kind for plan in ready.job.plan if plan.stem == stem for kind in plan.kinds]
            documents, _ = lay_out(
                ready.job, [piece for piece in ready.chosen if piece.kind in kinds]
            )
            self._documents |= {document.stem: document for document in documents}
        if stem not in self._documents:
            raise CannotRun(f"there is no document {stem!r}")
        return self._documents[stem]


def as_told(error: Exception) -> Json:
    """Return an error as JSON for a page."""
    if isinstance(error, ProblemsFound):
        return {"problems": [problem.as_json for problem in error.problems]}
    return {"message": str(error)}


# Prints that a page requests: one at a time, with progress; the files are stored until the next
# print.


# Receives news of a print; called from any thread.
Tell = Callable[[Json], None]
# Fixed time of every file in an archive, so that equal files make equal archives.
_STAMP = (1980, 1, 1, 0, 0, 0)


def archive(
    folder: str, files: Mapping[str, bytes], compression: int = zipfile.ZIP_STORED
) -> bytes:
    """Return a zip archive of files in a folder."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as opened:
        for name, data in files.items():
            opened.writestr(zipfile.ZipInfo(f"{folder}/{name}", _STAMP), data, compression)
    return stream.getvalue()


class Printer:
    """Builds titles in the background, in its own thread with several processes, or in the given
    worker."""

    def __init__(self, tell: Tell, worker: Executor | None = None) -> None:
        self._tell = tell
        self._worker = worker or ThreadPoolExecutor(1, thread_name_prefix="print")
        self._number = 0
        self._busy = False
        self.done: Print | None = None

    def start(self, folder: Path, options: BuildOptions) -> int:
        """Start a print and return its number. Raises CannotRun while another is running."""
        if self._busy:
            raise CannotRun("another print is still running")
        self._busy = True
        self._number += 1
        self._worker.submit(self._build, self._number, folder, options)
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
        except (CannotRun, ProblemsFound, OSError) as error:
            self._tell({"print": number, **as_told(error)})
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

    @property
    def _last(self) -> Print:
        if self.done is None:
            raise CannotRun("nothing has been printed yet")
        return self.done

    def file(self, name: str) -> bytes:
        """Return a file of the last print. Raises CannotRun."""
        if name not in self._last.files:
            raise CannotRun(f"the last print has no {name}")
        return self._last.files[name]

    def archive(self) -> bytes:
        """Return all files of the last print as a zip archive. Raises CannotRun."""
        return archive(self._last.title, self._last.files)

    def write(self, folder: Path) -> tuple[Path, ...]:
        """Write the last print into a folder, as `platelayer build -o` does. Raises CannotRun."""
        return self._last.write(folder)

    def close(self) -> None:
        """Cancel pending work without waiting for the print that is running."""
        self._worker.shutdown(wait=False, cancel_futures=True)
