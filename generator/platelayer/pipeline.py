"""Every stage in order: a definition in, files out.

1 definitions   JSON -> schema check -> Title            (definitions)
2 rules         Title -> problems, graph of upgrades     (rules)
3 manifest      Title -> every piece and its count       (model)
4 drawing       piece -> Scene                           (drawing)
5 legibility    Scene -> problems                        (scene)
6 sheets        Scenes and counts -> pages, placements   (sheets)
7 render        pages -> PDF; Scene -> SVG, PNG, PDF     (render)
8 preflight     finished bytes -> problems               (preflight)
9 files         bytes -> disk, whole or not at all
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from platelayer.files import write_all, write_new
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, sort_problems
from platelayer.foundation.resources import title_ids
from platelayer.model.manifest import Manifest, Piece, build_manifest
from platelayer.options import BuildOptions
from platelayer.reading import judge, read_to_print

if TYPE_CHECKING:
    from platelayer.drawing.style import Style
    from platelayer.foundation.codes import Code
    from platelayer.model.title import Title
    from platelayer.model.upgrade import UpgradeGraph
    from platelayer.scene.shapes import Scene


def check(reference: str) -> tuple[Problem, ...]:
    """All problems of a title (a shipped id, a folder or a file) and of each of its variants, sorted: of the definition
    and of the rules."""
    from platelayer.definitions.glyphs import missing_glyph_problems
    from platelayer.definitions.themes import load_theme
    from platelayer.definitions.titles import load_title

    found: list[list[Problem]] = []
    waiting: list[str | None] = [None]
    while waiting:
        variant = waiting.pop(0)
        try:
            loaded = load_title(reference, variant=variant)
        except ProblemsFound as stop:
            found.append(list(stop.problems))
            continue
        judged = judge(loaded)
        if variant is not None:
            judged = tuple(_in_variant(each, variant) if each not in found[0] else each for each in judged)
        found.append([*loaded.problems, *judged])
        if variant is None:
            found[0] += missing_glyph_problems(loaded, load_theme(BuildOptions().theme), language=None)
            waiting += [each.id for each in loaded.title.variants]
    return sort_problems(_each_once(found))


def _in_variant(problem: Problem, variant: str) -> Problem:
    return replace(problem, message=f"{problem.message} (in the variant {variant})")


def _each_once(found: Sequence[Sequence[Problem]]) -> Iterable[Problem]:
    """The problems of a title and of its variants; a waiver counts as unused only when none of them needs it."""
    from platelayer.rules.run import UNUSED

    unused = [{problem.place for problem in problems if problem.code == UNUSED} for problems in found]
    nowhere = set.intersection(*unused)
    return (problem for problems in found for problem in problems if problem.code != UNUSED or problem.place in nowhere)


def preflight(files: Sequence[Path], profile: str) -> tuple[Problem, ...]:
    """All problems of finished PDF files by the limits of a profile (a shipped id or a file), file by file; also of PNG
    pictures, where the profile's shop takes them. Raises ProblemsFound for the profile."""
    from platelayer.definitions.profiles import load_profile
    from platelayer.preflight import check_file

    limits = load_profile(profile).limits
    return tuple(problem for path in files for problem in check_file(path, limits))


def titles_of(references: Iterable[str], *, only_related: bool = False) -> tuple[str, ...]:
    """What is to be checked for ids, folders and files: any file in the folder of a title stands for that title. Files
    that belong to no title are kept, or passed over when `only_related` is told."""
    from platelayer.definitions.belonging import titles_of as find_titles

    return find_titles(references, only_related=only_related)


def list_titles() -> tuple[dict[str, Any], ...]:
    """Shipped titles: id, name, players ("2-6"), subtitle; in order of their ids."""
    from platelayer.definitions.titles import load_title

    rows = []
    for title_id in title_ids():
        title = load_title(title_id).title
        counts = [count.players for count in title.players]
        rows.append(
            {
                "id": title.id,
                "name": title.name.get("en"),
                "players": f"{min(counts)}-{max(counts)}" if counts else "",
                "subtitle": title.subtitle.get("en") if title.subtitle else "",
            }
        )
    return tuple(rows)


def read_manifest(reference: str, *, variant: str | None = None) -> Manifest:
    """The manifest of a title. Raises ProblemsFound when the definition has errors."""
    from platelayer.definitions.titles import load_title

    return build_manifest(load_title(reference, variant=variant).title)


def read_upgrades(reference: str, *, variant: str | None = None) -> tuple[UpgradeGraph, dict[str, str]]:
    """The graph of a title's upgrades, and the colours of its tiles by number, in the order of upgrading.

    Raises ProblemsFound when the definition has errors.
    """
    from platelayer.definitions.titles import load_title
    from platelayer.rules.graph import upgrade_graph

    title = load_title(reference, variant=variant).title
    order = {colour: place for place, colour in enumerate(title.colours)}
    tiles = sorted((entry.tile for entry in title.tiles), key=lambda tile: order.get(tile.colour, len(order)))
    return upgrade_graph(title), {tile.id: tile.colour for tile in tiles}


def draw_upgrades(reference: str, *, variant: str | None = None) -> bytes:
    """The upgrade chart of a title as one SVG. Raises ProblemsFound when the definition has errors."""
    from platelayer.drawing.upgrade_chart import draw_upgrade_charts
    from platelayer.rules.graph import upgrade_graph

    title, _, style = read_to_print(reference, BuildOptions(variant=variant))
    scene = draw_upgrade_charts(title, upgrade_graph(title), style, None)[0]
    return _paint_svg(scene, f"{style.words(title.name)}: {scene.label}", 0, False)


def draw_to_file(
    reference: str, key: str, path: Path, options: BuildOptions, *, dpi: int = 300, bleed: bool = False
) -> None:
    """Draw one piece (`kind:id`, or a kind of which there is one; `:back` after it for its back) to .svg, .png or .pdf,
    chosen by the suffix. Raises CannotRun for a piece or back that does not exist."""
    title, _, style = read_to_print(reference, options)
    manifest = build_manifest(title)
    behind = key.endswith(_BACK) and key not in manifest.by_key
    piece = _find_piece(manifest, key.removesuffix(_BACK) if behind else key)
    scene = (_draw_back if behind else _draw_one)(title, manifest, piece, style)
    paint = _PAINTERS.get(path.suffix.lower())
    if paint is None:
        raise CannotRun(f"{path}: cannot draw to {path.suffix or 'a file without suffix'}; use .svg, .png or .pdf")
    data = paint(scene, f"{title.name.get(options.language)}: {scene.label}", dpi, bleed)
    write_all(path.parent, {path.name: data})


_BACK = ":back"


def _paint_svg(scene: Scene, label: str, _dpi: int, bleed: bool) -> bytes:
    from platelayer.render.svg import render_svg

    return render_svg(scene, title=label, bleed=bleed)


def _paint_png(scene: Scene, _label: str, dpi: int, bleed: bool) -> bytes:
    from platelayer.render.png import PngUnavailable, render_png

    try:
        return render_png(scene, dpi=dpi, bleed=bleed)
    except PngUnavailable as stop:
        raise CannotRun(str(stop)) from stop


def _paint_pdf(scene: Scene, label: str, _dpi: int, _bleed: bool) -> bytes:
    from platelayer.render.pdf import render_pdf
    from platelayer.sheets.single import single_page

    return render_pdf(single_page(scene, label))


_PAINTERS: dict[str, Callable[[Scene, str, int, bool], bytes]] = {
    ".svg": _paint_svg,
    ".png": _paint_png,
    ".pdf": _paint_pdf,
}


def new_title(folder: Path) -> tuple[str, ...]:
    """Write a small, complete title into a folder that is empty or not there, with schemas and settings for editors.

    Returns the names of its files. Raises CannotRun for any other folder; then nothing is written.
    """
    from platelayer.definitions.starter import starter_files

    try:
        taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    except OSError as stop:
        raise CannotRun(f"cannot read {stop.filename or folder}: {stop.strerror or stop}") from stop
    if taken:
        raise CannotRun(f"{folder} is there already and not an empty folder; name a new one")
    files = starter_files(folder.resolve().name)
    write_new(folder, files)
    return tuple(files)


def renew_schemas(folder: Path) -> tuple[str, ...]:
    """Write the schemas for editors into the folder of a title, over those of an earlier version. Returns their names.

    Raises CannotRun where there is no title.
    """
    from platelayer.definitions.starter import SCHEMA_FOLDER, schema_files

    if not (folder / "title.json").is_file():
        raise CannotRun(f"{folder} is not the folder of a title: there is no title.json in it")
    write_all(folder / SCHEMA_FOLDER, {Path(name).name: data for name, data in schema_files().items()})
    return tuple(schema_files())


def known_codes() -> dict[str, Code]:
    """Every code that a problem may have, sorted: of definitions, rules, assembled maps, legibility, sheets and
    finished files."""
    from platelayer.atlas.codes import CODES as ATLAS
    from platelayer.definitions.codes import CODES as DEFINITIONS
    from platelayer.foundation.codes import Code
    from platelayer.preflight.codes import CODES as PREFLIGHT
    from platelayer.rules.run import all_rules
    from platelayer.scene.codes import CODES as LEGIBILITY
    from platelayer.sheets.codes import CODES as SHEETS

    rules = {code: Code(rule.name, rule.explanation) for code, rule in all_rules().items()}
    return dict(sorted((DEFINITIONS | rules | ATLAS | LEGIBILITY | SHEETS | PREFLIGHT).items()))


def explain(code: str) -> str:
    """What a problem's code means, as text. Raises CannotRun for a code that does not exist."""
    codes = known_codes()
    entry = codes.get(code.upper())
    if entry is None:
        near = get_close_matches(code.upper(), codes, n=3, cutoff=0.5)
        raise CannotRun(f"no problem has the code {code}" + (f"; did you mean {', '.join(near)}?" if near else ""))
    return f"{code.upper()} {entry}"


def _find_piece(manifest: Manifest, key: str) -> Piece:
    """The piece of that key. Raises CannotRun with the nearest keys when there is none."""
    if key in manifest.by_key:
        return manifest.by_key[key]
    of_kind = [piece for piece in manifest.pieces if piece.kind == key]
    if len(of_kind) == 1:
        return of_kind[0]
    known = [piece.key for piece in of_kind] or list(manifest.by_key)
    near = [piece.key for piece in of_kind][:3] or get_close_matches(key, known, n=3, cutoff=0.4)
    raise CannotRun(f"{manifest.title} has no piece {key!r}" + (f"; did you mean {', '.join(near)}?" if near else ""))


def _draw_one(title: Title, manifest: Manifest, piece: Piece, style: Style) -> Scene:
    """The front of a piece; an upgrade chart as one sheet, however large."""
    from platelayer.drawing.pieces import draw_piece

    if piece.kind == "upgrade-chart":
        from platelayer.drawing.upgrade_chart import draw_upgrade_charts
        from platelayer.rules.graph import upgrade_graph

        return draw_upgrade_charts(title, upgrade_graph(title), style, None)[0]
    return draw_piece(title, manifest, piece, style)[0]


def _draw_back(title: Title, manifest: Manifest, piece: Piece, style: Style) -> Scene:
    """The back of a piece. Raises CannotRun when it has none."""
    from platelayer.drawing.backs import draw_back

    scene = draw_back(title, manifest, piece, style)
    if scene is None:
        kinds = ", ".join(dict.fromkeys(each.kind for each in manifest.pieces if each.back))
        raise CannotRun(f"{piece.key} has nothing on its back; kinds with backs are {kinds}")
    return scene


def write_calibration(path: Path, *, paper: str, margin_mm: float, duplex: str, language: str) -> None:
    """The sheet that finds out what a printer does wrong, as a PDF of two pages. Raises ProblemsFound and CannotRun."""
    from platelayer.definitions.themes import load_theme
    from platelayer.render.pdf import render_pdf
    from platelayer.sheets.calibration import calibration_sheet
    from platelayer.sheets.paper import check_margin, find_paper

    if path.suffix.lower() != ".pdf":
        raise CannotRun(f"{path}: the calibration sheet is a PDF; name a file ending in .pdf")
    found = find_paper(paper)
    check_margin(found, margin_mm)
    try:
        document = calibration_sheet(found, margin_mm, duplex, load_theme(BuildOptions().theme), language)
    except ValueError as stop:
        raise CannotRun(str(stop)) from stop
    write_all(path.parent, {path.name: render_pdf(document)})
