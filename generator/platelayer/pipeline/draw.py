"""Pictures of single pieces."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from platelayer.definitions.build import build_title
from platelayer.definitions.schemas import schema_problems
from platelayer.definitions.themes import complete_theme
from platelayer.drawing.charts.upgrade_chart import draw_upgrade_charts
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_back, draw_piece, draw_with_room, with_words_aside
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, nowhere, sort_problems
from platelayer.foundation.text import listed, suggestion
from platelayer.imposition.arrange import with_corners
from platelayer.imposition.cut import cut_items
from platelayer.imposition.paper import with_sizes
from platelayer.imposition.plan import check_finish
from platelayer.imposition.tiling import single_page
from platelayer.model.kinds import KINDS, PLAY, Piece
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.options import PrintOptions
from platelayer.pipeline.faces import ours_left_out
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import Reference, at_pieces, read_to_print
from platelayer.pipeline.registry import function
from platelayer.pipeline.write import STANDARD_OUTPUT, write_one
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.legibility import check_legibility
from platelayer.scene.press import printing_on

if TYPE_CHECKING:
    from platelayer.model.title import Title
    from platelayer.scene.shapes import Scene
    from platelayer.scene.typeset import Theme


class Picture(Struct, frozen=True):
    """One face of one piece, ready to paint. `problems` are its illegible parts, which would stop a
    build but not a picture. Only the `options` of colour and cut apply: with "cmyk" a PDF is for
    a press, and other files simulate it; with "marks" a PDF has crop marks."""

    scene: Scene
    label: str
    problems: tuple[Problem, ...] = ()
    options: PrintOptions = PrintOptions()

    def paint(self, suffix: str, *, dpi: int = 300, bleed: bool = False) -> bytes:
        """Return the face as a file of that kind (".svg", ".png", ".pdf" ...), cut at its outline
        or with its bleed; a PDF always has its bleed. Raises CannotRun for an unknown suffix,
        and if a system library is missing."""
        from platelayer.render.scenes import PAINTERS, enriched, greyed, proofed

        if suffix not in PAINTERS:
            *others, last = PAINTERS
            raise CannotRun(
                f"cannot draw to {suffix or 'a file without a suffix'}; use {', '.join(others)} or {last}"
            )
        scene, color, rich = self.scene, self.options.color, self.options.black == "rich"
        marks = self.options.cut == "marks"
        with printing_on(self.options.intent):
            if suffix == ".pdf" and (color, marks) != ("rgb", True):
                from platelayer.render.pdf import render_pdf

                document = single_page(scene, self.label, marks=marks)
                return render_pdf(document, colour=color, rich_black=rich)
            if color == "gray":
                (scene,) = greyed([scene])
            elif color == "cmyk":
                scene = proofed(enriched([scene])[0] if rich else scene)
            return PAINTERS[suffix](scene, label=self.label, dpi=dpi, bleed=bleed)

    def svg(self, *, bleed: bool = False) -> bytes:
        """Return the face as SVG."""
        return self.paint(".svg", bleed=bleed)

    def png(self, *, dpi: int = 300, bleed: bool = False) -> bytes:
        """Return the face as PNG. Raises CannotRun if nothing here can paint PNG."""
        return self.paint(".png", dpi=dpi, bleed=bleed)

    def pdf(self) -> bytes:
        """Return the face as a PDF of one page, with its bleed."""
        return self.paint(".pdf")


def draw(reference: Reference, piece: str, options: BuildOptions | None = None) -> Picture:
    """Draw one piece of a title (an id, a path, or the result of `load`). `piece` is `kind:id`, or
    a kind with only one piece; `:back` at the end means its back.

    Only these options apply: variant, language, theme, sizes, color, cut, corners and the names of
    the spot colour. Raises ProblemsFound for a definition with errors or an unknown size, CannotRun
    for a piece or back that does not exist.
    """
    options = options or BuildOptions()
    loaded, _, style = read_to_print(reference, options)
    check_finish(options, style.theme)
    title = with_sizes(loaded.title, build_manifest(loaded.title), options.sizes)
    manifest = build_manifest(title)
    if piece.startswith(_AIDS) and piece.removesuffix(_BACK) not in manifest.by_key:
        title, _ = with_words_aside(title, style)
        manifest = build_manifest(title)
    behind = piece.endswith(_BACK) and piece not in manifest.by_key
    chosen = _find_piece(manifest, piece.removesuffix(_BACK) if behind else piece)

    def faces(title: Title, style: Style) -> tuple[Scene, ...]:
        """Return the face to draw and, if the piece has a back that is read in play, the other one,
        which has the same size."""
        sides = [_draw_back, _draw_one] if behind else [_draw_one, _draw_back]
        drawn = sides if chosen.back == PLAY else sides[:1]
        return tuple(draw(title, manifest, chosen, style) for draw in drawn)

    (scene, *_), notes = draw_with_room(faces, title, chosen, style)
    press = options.color == "cmyk"
    with printing_on(options.intent):
        found = check_legibility(scene, press=press)
        about_piece = (replace(problem, about=chosen.key) for problem in found)
        about_pieces = ours_left_out(chosen, (*notes, *about_piece))
    problems = sort_problems(at_pieces(about_pieces, manifest, loaded.place))
    if KINDS[chosen.kind].is_card:
        scene = with_corners(scene, options.corner_mm)
    return Picture(
        _with_cut(scene, options, style.theme),
        f"{title.name.get(options.language)}: {scene.label}",
        problems=problems,
        options=options,
    )


def _with_cut(scene: Scene, options: BuildOptions, theme: Theme) -> Scene:
    """Return a face with its cut line, if requested."""
    if options.cut not in ("lines", "spot"):
        return scene
    lines = cut_items([scene.die_line], options, theme)
    return replace(scene, items=(*scene.items, *lines))


# Options of `draw` that apply to a whole title.
_OF_TITLES = ("variant", "money", "position", "numbers")


def draw_string(string: str, options: BuildOptions | None = None) -> Picture:
    """Draw a tile in the tile language of 18xx.games, e.g. "city=revenue:40;path=a:0,b:_0". Raises
    ProblemsFound for each invalid part, and for a tile that the schema of titles refuses;
    CannotRun for an option that only a title has."""
    options = options or BuildOptions()
    for name in _OF_TITLES:
        if getattr(options, name) != getattr(BuildOptions(), name):
            raise CannotRun(f"{name}: a tile string has none; name a title and a piece of it")
    definition, lost = function("title_from_string")(string)
    if faults := schema_problems(definition, "title", nowhere):
        raise ProblemsFound(faults)
    title = build_title(definition, None, companies={})
    title = with_sizes(title, build_manifest(title), options.sizes)
    manifest = build_manifest(title)
    style = Style(theme=complete_theme(options.theme), language=options.language, terms={})
    check_finish(options, style.theme)
    tile = next(piece for piece in manifest.pieces if piece.kind == "tile")
    scene = _draw_one(title, manifest, tile, style)
    with printing_on(options.intent):
        problems = (*lost, *check_legibility(scene, press=options.color == "cmyk"))
    return Picture(
        _with_cut(scene, options, style.theme),
        string,
        problems=problems,
        options=options,
    )


def draw_to_file(
    reference: str,
    piece: str | None,
    path: Path,
    options: BuildOptions,
    *,
    form: str | None = None,
    dpi: int = 300,
    bleed: bool = False,
) -> tuple[Problem, ...]:
    """Draw one piece as `form` ("svg", "png" or "pdf"), by default chosen by the suffix, to a file or
    to standard output (`-`); without a piece, a tile string. Returns its problems. Raises as `draw`
    does, and CannotRun for another suffix."""
    if piece is None and "=" not in reference and not function("is_tile_string")(reference):
        raise CannotRun(
            f'name a piece of {reference}, e.g. "tile:57", or give a tile string instead of a title'
        )
    picture = draw_string(reference, options) if piece is None else draw(reference, piece, options)
    usual = ".svg" if path == STANDARD_OUTPUT else path.suffix.lower()
    write_one(path, picture.paint(f".{form}" if form else usual, dpi=dpi, bleed=bleed))
    return picture.problems


def draw_upgrades(reference: Reference, *, variant: str | None = None) -> bytes:
    """Return the upgrade chart of a title as one SVG. Raises ProblemsFound if the definition has
    errors."""
    return draw(reference, "upgrade-chart", BuildOptions(variant=variant)).svg()


_BACK = ":back"
_AIDS = "summary:"


def _find_piece(manifest: Manifest, key: str) -> Piece:
    """Return the piece with that key. Raises CannotRun with the closest keys if there is none."""
    if key in manifest.by_key:
        return manifest.by_key[key]
    kind = key.partition(":")[0]
    of_kind = [piece for piece in manifest.pieces if piece.kind == kind]
    if kind == key and len(of_kind) == 1:
        return of_kind[0]
    keys = [piece.key for piece in of_kind]
    known = keys or [piece.key for piece in manifest.pieces]
    hint = "" if kind == key else suggestion(key, known, most=3)
    if keys and not hint:
        hint = f"it has {listed(keys)}"
    raise CannotRun("; ".join(filter(None, (f"{manifest.title} has no piece {key!r}", hint))))


def _draw_one(title: Title, manifest: Manifest, piece: Piece, style: Style) -> Scene:
    """Draw the front of a piece; an upgrade chart as one sheet, however large."""
    if piece.kind == "upgrade-chart":
        return draw_upgrade_charts(title, upgrade_graph(title), style, None)[0]
    return draw_piece(title, manifest, piece, style)[0]


def _draw_back(title: Title, manifest: Manifest, piece: Piece, style: Style) -> Scene:
    """Draw the back of a piece. Raises CannotRun if it has none."""
    scene = draw_back(title, piece, style)
    if scene is None:
        kinds = ", ".join(dict.fromkeys(entry.kind for entry in manifest.pieces if entry.back))
        raise CannotRun(f"{piece.key} has nothing on its back; kinds with backs are {kinds}")
    return scene
