"""Faces drawn before Platelayer was packed change nothing but how long a build takes, and are used
by the code that drew them alone."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from platelayer.foundation.cache import Cache
from platelayer.foundation.resources import drawing_files
from platelayer.model.kinds import PLAY
from platelayer.pipeline import faces
from platelayer.pipeline.build import build, prepare
from platelayer.pipeline.faces import (
    SIGNATURE,
    Faces,
    Judge,
    Predrawn,
    Sources,
    judged_faces,
    predrawn,
)
from platelayer.pipeline.job import BuildOptions
from predraw import file_of

FIELD = str(Path(__file__).parents[1] / "field")


@pytest.fixture(scope="module")
def data() -> bytes:
    """The file of an invented title in English."""
    return file_of([FIELD], ["en"])


@pytest.fixture
def file(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file, where this installation has its own."""
    path = tmp_path / "predrawn.faces"
    path.write_bytes(data)
    monkeypatch.setattr(faces, "predrawn_path", lambda: path)
    return path


def is_used() -> bool:
    """True if the file of this installation is sound and made by it."""
    style = sources_of(BuildOptions()).style_digest
    return predrawn.__wrapped__(style) is not None


def sources_of(options: BuildOptions) -> Sources:
    """The sources of the title's pieces."""
    return prepare(FIELD, options).job.sources


def hits(ahead: Predrawn, sources: Sources) -> dict[str, bool]:
    """By piece: whether its faces are in the file."""
    return {
        piece.key: ahead.get(sources.key(piece, "faces", "", piece.back == PLAY), Faces) is not None
        for piece in sources.manifest.pieces
    }


def test_a_build_with_it_draws_nothing_and_prints_the_same(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = build(FIELD, BuildOptions())
    ahead = Predrawn(data[SIGNATURE:])
    monkeypatch.setattr(faces, "predrawn", lambda *_given: ahead)
    with monkeypatch.context() as only:
        only.setattr(faces, "judged_faces", None)
        assert build(FIELD, BuildOptions()) == drawn
    both_sides = BuildOptions(duplex="long", color="gray")
    with_it = build(FIELD, both_sides)
    monkeypatch.setattr(faces, "predrawn", lambda *_given: None)
    assert build(FIELD, both_sides) == with_it


def test_what_it_has_is_kept_in_a_cache(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that an edit, or a print on other paper, need not look for it again."""
    cache, on_letter = Cache(tmp_path / "cache"), BuildOptions(paper="letter")
    monkeypatch.setattr(faces, "predrawn", lambda *_given: None)
    drawn = build(FIELD, on_letter)
    ahead = Predrawn(data[SIGNATURE:])
    monkeypatch.setattr(faces, "predrawn", lambda *_given: ahead)
    build(FIELD, BuildOptions(), cache=cache)
    monkeypatch.setattr(faces, "predrawn", lambda *_given: None)
    monkeypatch.setattr(faces, "judged_faces", None)
    assert build(FIELD, on_letter, cache=cache) == drawn


def test_a_cache_keeps_that_it_is_sound(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, style = Cache(tmp_path / "cache"), sources_of(BuildOptions()).style_digest
    find = predrawn.__wrapped__
    file.write_bytes(bytes([file.read_bytes()[0] ^ 1]) + file.read_bytes()[1:])
    assert find(style, cache) is None
    file.write_bytes(bytes([file.read_bytes()[0] ^ 1]) + file.read_bytes()[1:])
    assert find(style, cache) is not None
    monkeypatch.setattr(faces, "signature", None)
    assert find(style, cache) is not None


def test_its_faces_are_those_that_are_drawn(data: bytes) -> None:
    ahead, judge, sources = Predrawn(data[SIGNATURE:]), Judge(), sources_of(BuildOptions())
    for piece in reversed(sources.manifest.pieces):
        has_back = piece.back == PLAY
        found = ahead.get(sources.key(piece, "faces", "", has_back), Faces)
        assert found is not None, piece.key
        kept, scene_of = found
        restored = kept.mapped(lambda face: replace(face, scene=scene_of(face.scene)))  # noqa: B023
        assert repr(restored) == repr(judged_faces(sources, piece, judge, back=has_back))


def test_other_looks_are_not_in_it(data: bytes) -> None:
    ahead = Predrawn(data[SIGNATURE:])
    own = sources_of(BuildOptions())
    assert all(hits(ahead, own).values())
    for options in (
        BuildOptions(language="ja"),
        BuildOptions(theme="low-ink"),
        BuildOptions(theme="colour-blind"),
    ):
        assert not any(hits(ahead, sources_of(options)).values())
    ink = own.style.theme.ink("paper")
    inks = {**own.style.theme.inks, "paper": replace(ink, rgb=(0.9, 0.9, 0.9))}
    paler = replace(own.style, theme=replace(own.style.theme, inks=inks))
    assert not any(hits(ahead, replace(own, style=paler)).values())
    dearer = replace(
        own.title,
        trains=tuple(
            replace(train, faces=tuple(replace(face, price=7) for face in train.faces))
            for train in own.title.trains
        ),
    )
    found = hits(ahead, replace(own, title=dearer))
    assert not any(hit for key, hit in found.items() if key.startswith("train:"))
    assert all(hit for key, hit in found.items() if key.startswith(("tile:", "token:")))


def test_a_damaged_file_is_not_used(file: Path, data: bytes) -> None:
    assert is_used()
    for at in (0, SIGNATURE, SIGNATURE + 3, len(data) // 2, len(data) - 1):
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert not is_used()
    for size in (0, 1, SIGNATURE, SIGNATURE + 4, len(data) - 1):
        file.write_bytes(data[:size])
        assert not is_used()
    file.write_bytes(data + b" ")
    assert not is_used()
    file.unlink()
    assert not is_used()


@pytest.mark.usefixtures("file")
def test_a_style_that_it_does_not_have_needs_no_more_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faces, "signature", None)
    style = sources_of(BuildOptions(theme="low-ink")).style_digest
    assert predrawn.__wrapped__(style) is None


@pytest.mark.parametrize(
    "name",
    [
        *("drawing/hex/tile.py", "scene/legibility.py", "model/tile.py", "rules/graph.py"),
        *("foundation/text.py", "pipeline/faces.py"),
        *("assets/art/terrain.json", "assets/languages/en.json", "assets/themes/classic.json"),
    ],
)
def test_another_module_or_asset_does_without_it(
    name: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = dict(drawing_files())
    changed = file.with_name("changed")
    changed.write_bytes(Path(files[name]).read_bytes() + b"\n")
    monkeypatch.setattr(faces, "drawing_files", {**files, name: str(changed)}.items)
    assert not is_used()


def test_a_module_more_or_less_does_without_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = dict(drawing_files())
    monkeypatch.setattr(faces, "drawing_files", lambda: [*files.items()][1:])
    assert not is_used()
    empty = file.with_name("empty")
    empty.touch()
    more = {**files, "drawing/empty.py": str(empty)}
    monkeypatch.setattr(faces, "drawing_files", more.items)
    assert not is_used()


@pytest.mark.parametrize("library", ["budoux", "msgspec"])
def test_another_version_of_a_library_does_without_it(
    library: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_used()
    find = faces.find_spec
    packages = file.parent
    (packages / f"{library}-99.dist-info").mkdir()

    def found(name: str) -> object:
        if name == library:
            return SimpleNamespace(origin=str(packages / library / "__init__.py"))
        return find(name)

    monkeypatch.setattr(faces, "find_spec", found)
    assert not is_used()
    (packages / f"{library}-99.dist-info").rmdir()
    assert not is_used()


def test_everything_that_draws_decides_whether_it_is_used() -> None:
    names = [name for name, _ in drawing_files()]
    assert names == sorted(set(names))
    rooms = {name.partition("/")[0] for name in names}
    assert rooms == {"assets", "drawing", "foundation", "model", "pipeline", "rules", "scene"}
    assert not [name for name in names if name.startswith("assets/titles/")]
