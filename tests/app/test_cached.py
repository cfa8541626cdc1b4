"""A cache changes nothing but how long things take."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.msgpack import decode, encode
from msgspec.structs import replace

from looks.digests import TITLES
from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.foundation.cache import FOLDER, Cache, digest_of
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.resources import asset_path, title_path
from platelayer.pipeline import faces
from platelayer.pipeline.build import Print, build, prepare
from platelayer.pipeline.faces import (
    Judge,
    KeptFaces,
    Sources,
    drawing_faults,
    drawn_faces,
    faces_of,
)
from platelayer.pipeline.job import BuildOptions, Printed
from platelayer.pipeline.load import check, find_unprintable, judge
from platelayer.render.content import Content, ContentStream
from platelayer.scene.inks import BLACK
from platelayer.scene.paths import Digester
from platelayer.scene.shapes import Circle, Group, Scene, Table, Use, restored, translation
from platelayer.studio.view import View
from processes import GENERATOR, files_of, run_command, run_python

T = TypeVar("T")


class Watched(Cache):
    """A cache that counts what it was asked for; without `whole`, it keeps no finished files."""

    def __init__(self, folder: Path, *, whole: bool = True) -> None:
        super().__init__(folder)
        self.whole, self.found, self.missed = whole, 0, 0

    def get(self, key: str, kind: type[T]) -> T | None:
        """What was put under a digest."""
        found = super().get(key, kind)
        self.found, self.missed = self.found + (found is not None), self.missed + (found is None)
        return found

    def put(self, key: str, result: T, kind: type[T]) -> None:
        """Keeps a result."""
        if self.whole or not isinstance(result, Printed):
            super().put(key, result, kind)


OTHERWISE = BuildOptions(color="cmyk", duplex="long", language="ja")


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("options", [BuildOptions(), OTHERWISE])
def test_prints_are_the_same_with_and_without(
    title: str, options: BuildOptions, tmp_path: Path
) -> None:
    plain = build(title, options)
    store = Watched(tmp_path / "cache", whole=False)
    assert build(title, options, cache=store) == plain
    kept = store.missed
    assert build(title, options, cache=store) == plain
    assert store.found > 20
    assert store.missed - kept < 20, "only files are missed"


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("options", [BuildOptions(), OTHERWISE])
def test_a_face_is_kept_to_the_last_bit(title: str, options: BuildOptions, tmp_path: Path) -> None:
    ready = prepare(title, options)
    job, store, judge = ready.job, Cache(tmp_path), Judge(press=options.color == "cmyk")
    sources = Sources(title=job.title, manifest=job.manifest, style=job.style)
    for piece in ready.chosen:
        drawn = faces_of(sources, piece, judge)
        store.put(piece.key, KeptFaces.of(drawn), KeptFaces)
        kept = store.get(piece.key, KeptFaces)
        assert kept is not None, piece.key
        again = kept.restored()
        for before, after in zip(drawn.all, again.all, strict=True):
            assert shown((before.scene,)) == shown((after.scene,)), piece.key
            assert replace(before, scene=after.scene) == after
        assert replace(drawn, fronts=again.fronts, back=again.back) == again


def test_what_scenes_place_in_common_is_kept_once() -> None:
    dot = Scene(key="dot", width_mm=1, height_mm=1, items=(Circle(cx=0, cy=0, r=1, fill=BLACK),))
    row = Scene(
        key="row",
        width_mm=9,
        height_mm=1,
        items=tuple(Use(scene=dot, matrix=translation(x, 0)) for x in range(9)),
    )
    field = Scene(
        key="field",
        width_mm=9,
        height_mm=9,
        items=(Group(items=(Use(scene=row), Use(scene=dot))),) * 5,
    )
    table = Table()
    asked = [table.stand_in(scene) for scene in (field, dot, field)]
    assert [scene.key for scene in table.scenes] == ["dot", "row", "field"]
    read = decode(encode(table.scenes), type=list[Scene])
    scene_of = restored(read)
    found = [scene_of(scene) for scene in asked]
    assert shown((field, dot, field)) == shown((found[0], found[1], found[2]))
    assert found[0] is found[2]
    assert [use.scene for use in row.items] == [dot] * 9, "what was drawn is as it was"


def test_what_has_not_changed_is_not_printed_again(tmp_path: Path) -> None:
    store = Watched(tmp_path / "cache")
    title = str(asset_path("starters", "classic"))
    plain = build(title, cache=store)
    store.found = store.missed = 0
    assert build(title, cache=store) == plain
    assert (store.missed, store.found > 5) == (0, True)


# What a build or a check of which nothing has changed has no use for.
_MAKERS = (
    *("platelayer.drawing.hex.plan", "platelayer.pipeline.produce", "platelayer.render.pdf"),
    *("platelayer.rules.train_rules", "multiprocessing", "pikepdf", "reportlab"),
)


@pytest.mark.parametrize(("work", "module"), [("build", "build"), ("check", "load")])
def test_what_makes_things_is_imported_only_if_there_is_something_to_make(
    work: str, module: str, tmp_path: Path
) -> None:
    program = f"""
import sys
from pathlib import Path
from platelayer.foundation.cache import Cache
from platelayer.pipeline.{module} import {work}
{work}({str(asset_path("starters", "bare"))!r}, cache=Cache(Path({str(tmp_path)!r})))
print([name for name in {_MAKERS!r} if name in sys.modules])
"""
    first, again = (run_python("-c", program) for _ in range(2))
    assert "platelayer.drawing.hex.plan" in first.stdout
    assert (again.stdout, again.stderr) == ("[]\n", "")


def test_pictures_and_drafts(tmp_path: Path) -> None:
    from platelayer.pipeline.build import read_options

    folder = shutil.copytree(title_path("18cz"), tmp_path / "18cz")
    asked = {"pieces": ("token:*", "charter:*"), "draft": True, "color": "cmyk"}
    for number, options in enumerate(
        (
            read_options("pictures", {"pieces": ("token:*",)}),
            replace(BuildOptions(), **asked),
        )
    ):
        store = Watched(tmp_path / f"cache{number}")
        plain = build(str(folder), options)
        assert build(str(folder), options, cache=store) == plain
        assert build(str(folder), options, cache=store) == plain
        assert store.found


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_checks_are_the_same_with_and_without(title: str, tmp_path: Path) -> None:
    folder = shutil.copytree(title_path(title), tmp_path / title)
    change(
        folder,
        "pieces.json",
        lambda block: block.setdefault("sizes", {}).update(certificate=[40, 25]),
    )
    store = Watched(tmp_path / "cache")
    plain = check(str(folder))
    assert len(plain) > 10
    assert check(str(folder), cache=store) == plain
    store.missed = 0
    assert check(str(folder), cache=store) == plain
    assert store.missed == 0


@pytest.mark.parametrize("title", ["18eu", "classic"])
def test_findings_of_rules_are_the_same_with_and_without(title: str, tmp_path: Path) -> None:
    folder = title_path(title) if title in TITLES else asset_path("starters", title)
    for start in (1, 2):  # the waivers below waive something, and nothing
        edited = shutil.copytree(folder, tmp_path / str(start))
        edit = {"code": "TR*" if start == 1 else "UP06", "reason": "Waived."}
        change(edited, "title.json", lambda block, edit=edit: block.update(waivers=[edit]))
        change(edited, "trains.json", lambda block: next(iter(block.values())).update(price=9000))
        loaded, store = load_title(edited), Watched(tmp_path / "cache")
        plain = judge(loaded)
        assert plain
        assert judge(loaded, store) == plain
        assert (store.found, store.missed) == (0, 1)
        assert judge(load_title(edited), store) == plain
        assert (store.found, store.missed) == (1, 1)


def test_what_fonts_lack_is_found_with_and_without(tmp_path: Path) -> None:
    """Only that nothing is lacking is kept: of this title, in these languages, in this theme."""
    folder = shutil.copytree(asset_path("starters", "small"), tmp_path / "small")
    store = Watched(tmp_path / "cache")
    for words, codes in (("Line", []), ("Line \u0628", ["GL01"]), ("Line", [])):
        edit = {"en": "Line", "ja": words}
        change(folder, "title.json", lambda title, edit=edit: title.update(name=edit))
        for language, lacking in ((None, codes), ("en", []), ("ja", codes)):
            loaded, theme = load_title(folder), load_theme("classic")
            for cache in (None, store, store):
                found = find_unprintable(loaded, theme, language, cache)
                assert [problem.code for problem in found] == lacking
    assert store.found


def change(folder: Path, file: str, edit: Any) -> None:
    path = folder / file
    value = json.loads(path.read_text(encoding="utf-8"))
    edit(value.get(path.stem, value))
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def values(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where there is something to edit: every number, text, switch and entry."""
    if isinstance(value, Mapping):
        return [
            at,
            *(
                place
                for key in value
                if key != "provenance"
                for place in values(value[key], (*at, key))
            ),
        ]
    if isinstance(value, list):
        return [
            at,
            *(place for number, each in enumerate(value) for place in values(each, (*at, number))),
        ]
    return [at]


def edited(value: Any, number: int) -> Any:
    """Another value of the same sort."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(0, value + (-1, 1, 10, -10)[number % 4])
    if isinstance(value, str):
        return value + " w" if number % 2 or len(value) < 2 else value[:-1]
    if isinstance(value, Mapping):
        return {
            key: each
            for place, (key, each) in enumerate(value.items())
            if place != number % len(value)
        }
    return list(reversed(value)) if number % 2 else value[:-1]


def edit(folder: Path, draw: Any) -> str:
    files = sorted(folder.glob("*.json"))
    path = files[draw.draw(st.integers(0, len(files) - 1))]
    whole = json.loads(path.read_text(encoding="utf-8"))
    places = [
        place for place in values(whole) if place and place[-1] not in ("id", "$schema", "format")
    ]
    place = places[draw.draw(st.integers(0, len(places) - 1))]
    inner = whole
    for key in place[:-1]:
        inner = inner[key]
    before = inner[place[-1]]
    number = draw.draw(st.integers(0, 11))
    if number < 8:
        inner[place[-1]] = edited(before, number) if before not in ({}, []) else before
    else:  # what stands in the same place of another, which is more often allowed
        others = [
            each
            for each in places
            if len(each) == len(place) and each[0] == place[0] and each[-1] == place[-1]
        ]
        other = whole
        for key in others[draw.draw(st.integers(0, len(others) - 1))]:
            other = other[key]
        inner[place[-1]] = other
    path.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
    return f"{path.name}{place}"


def shown(scenes: tuple[Scene | None, ...]) -> str:
    """A digest of all there is of some scenes, not only of what is painted."""
    return digest_of(
        [each and [getattr(each, name) for name in Scene.__struct_fields__] for each in scenes]
    )


PLACES = Path(__file__).parents[1]
EDITED = {
    **{title: title_path(title) for title in TITLES},
    **{name: PLACES / name for name in ("field", "land")},
    "classic": asset_path("starters", "classic"),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    """A cache that all edits of all titles share."""
    return Cache(tmp_path_factory.mktemp("cache"))


def no_stale_picture(source: Path, draw: Any, folder: Path, store: Cache) -> None:
    """After any edits, each piece is in the cache, by the studio's key, as it is drawn afresh."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    view = View(folder, "", None)
    view.reload()
    pictures(view.sources("en", "classic"), store)
    edits = []
    for _ in range(draw.draw(st.integers(1, 3))):
        edits.append(edit(folder, draw))
        view.reload()  # what has errors stands as it was
        sources = view.sources("en", "classic")
        kept = pictures(sources, store)
        for function in drawers_caches():
            function.cache_clear()
        fresh = Sources(
            title=replace(view.title), manifest=sources.manifest, style=replace(sources.style)
        )
        drawn = pictures(fresh, None)
        assert [key for key in drawn if kept[key] != drawn[key]] == [], edits


def pictures(sources: Sources, store: Cache | None) -> dict[str, Any]:
    """The pictures of the pieces, or the problems that prevent them."""
    found: dict[str, Any] = {}
    judge, digester = Judge(), Digester()
    for piece in sources.manifest.pieces:
        problems: list[Problem] = []
        with drawing_faults(piece, problems):
            if store is None:
                (fronts, back), _ = drawn_faces(sources, piece, sources.style)
                scenes = fronts if back is None else (*fronts, back)
                digests = [digester.scene(scene) for scene in scenes]
            else:
                faces = faces_of(sources, piece, judge, store).all
                scenes = tuple(face.scene for face in faces)
                digests = [face.digest for face in faces]
            found[piece.key] = [
                (digest, scene.key, scene.label, scene.outline, scene.places)
                for digest, scene in zip(digests, scenes, strict=True)
            ]
        if problems:
            found[piece.key] = problems
    return found


def drawers_caches() -> list[Any]:
    """Functions of drawers that keep results from title to title."""
    return [
        value
        for name, module in [*sys.modules.items()]
        if name.startswith("platelayer.drawing.")
        for value in vars(module).values()
        if hasattr(value, "cache_clear")
    ]


ANY_EDIT = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@settings(ANY_EDIT, max_examples=2)
@given(draw=st.data())
def test_a_few_edits_leave_no_stale_picture(
    draw: st.DataObject, tmp_path: Path, store: Cache
) -> None:
    no_stale_picture(EDITED["classic"], draw, tmp_path / "edited", store)


@pytest.mark.slow
@settings(ANY_EDIT, max_examples=12)
@given(draw=st.data())
@pytest.mark.parametrize("title", EDITED)
def test_no_edit_leaves_a_stale_picture(
    title: str, draw: st.DataObject, tmp_path: Path, store: Cache
) -> None:
    no_stale_picture(EDITED[title], draw, tmp_path / "edited", store)


def no_stale_page(
    source: Path, draw: Any, folder: Path, store: Cache, kinds: tuple[str, ...] = ()
) -> None:
    """After any edits, a print with what is kept of earlier ones is as one without."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    edits: list[str] = []
    for _ in range(3):
        for options in (BuildOptions(), OTHERWISE):
            draft = replace(options, draft=True, only=kinds)
            assert printed(folder, draft, store) == printed(folder, draft, None), edits
        edits.append(edit(folder, draw))


def printed(folder: Path, options: BuildOptions, store: Cache | None) -> Print | list[str]:
    """A print, or the problems that prevent it."""
    try:
        return build(str(folder), options, cache=store)
    except ProblemsFound as error:
        return [str(problem) for problem in error.problems]


@settings(ANY_EDIT, max_examples=1)
@given(draw=st.data())
def test_a_few_edits_leave_no_stale_page(draw: st.DataObject, tmp_path: Path, store: Cache) -> None:
    kinds = ("train", "private", "phase-card", "token")
    no_stale_page(EDITED["classic"], draw, tmp_path / "edited", store, kinds)


@pytest.mark.slow
@settings(ANY_EDIT, max_examples=6)
@given(draw=st.data())
@pytest.mark.parametrize("title", EDITED)
def test_no_edit_leaves_a_stale_page(
    title: str, draw: st.DataObject, tmp_path: Path, store: Cache
) -> None:
    no_stale_page(EDITED[title], draw, tmp_path / "edited", store)


def test_an_edit_paints_only_what_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(asset_path("starters", "classic"), tmp_path / "classic")
    options, store = BuildOptions(only=("train", "certificate")), Cache(tmp_path / "cache")
    painted: list[Content] = []
    finished = ContentStream._finished
    monkeypatch.setattr(
        ContentStream,
        "_finished",
        lambda stream: painted.append(finished(stream)) or painted[-1],
    )
    build(str(folder), options, cache=store)
    whole = len(painted)
    trains = json.loads((folder / "trains.json").read_text(encoding="utf-8"))
    first = next(iter(trains["trains"].values()))
    first["price"] += 1
    (folder / "trains.json").write_text(json.dumps(trains), encoding="utf-8")
    painted.clear()
    kept = build(str(folder), options, cache=store)
    assert 1 <= len(painted) < whole / 4
    assert kept == build(str(folder), options)


def test_two_processes_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "platelayer", "build", "18eu", "--only", "token,train", "-o"]
    environment = own_cache(tmp_path)
    outputs = [tmp_path / str(number) for number in range(3)]
    running = [subprocess.Popen([*command, str(output)], env=environment) for output in outputs]
    assert [process.wait() for process in running] == [0, 0, 0]
    plain = tmp_path / "plain"
    subprocess.run([*command, str(plain), "--no-cache"], env=environment, check=True)
    for output in outputs:
        assert files_of(output) == files_of(plain)
    assert {path.suffix for path in (tmp_path / "cache").iterdir()} == {".kept"}


def own_cache(folder: Path) -> dict[str, str]:
    """An environment with a cache in a folder."""
    return {
        "PYTHONPATH": str(GENERATOR),
        "PATH": "/usr/bin:/bin",
        FOLDER: str(folder / "cache"),
        "XDG_CACHE_HOME": str(folder / "home"),
    }


def test_no_cache_keeps_nothing(tmp_path: Path) -> None:
    for words in (
        ["build", "18eu", "--only", "token", "--no-cache", "-o", tmp_path],
        ["check", "--no-cache", asset_path("starters", "small")],
    ):
        assert run_command(*words, **own_cache(tmp_path)).returncode == 0
    assert not (tmp_path / "cache").exists()
    assert not [path for path in (tmp_path / "home").rglob("*") if path.is_file()]


def test_what_could_not_be_drawn_is_drawn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged installation or a full disk may have been the cause, and it passes."""
    shutil.copytree(asset_path("starters", "bare"), tmp_path / "bare")
    title, store = tmp_path / "bare", Watched(tmp_path / "cache")
    sound = check(title)
    with monkeypatch.context() as broken:
        broken.setattr(faces, "draw_piece", lambda *_: {}["no such key"])
        assert {problem.code for problem in check(title, cache=store)} & {"LG09", "LG13"}
    assert check(title, cache=store) == sound
