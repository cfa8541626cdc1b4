"""Documents that are made from the code, or speak of it, say what it says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from PIL import Image

from platelayer.definitions import themes as records
from platelayer.definitions.schemas import raw_schema
from platelayer.definitions.source import MAX_BYTES, MAX_DEPTH
from platelayer.exchange.importers import IMPORTERS
from platelayer.model.kinds import KINDS
from platelayer.pipeline.load import explain, known_codes
from platelayer.rules.rule import RULES

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def test_the_pages_of_rules_are_current() -> None:
    made = runpy.run_path(str(DOCS / "reference.py"))["pages"]()
    there = (DOCS / "rules.md", *DOCS.glob("rules/*.md"))
    assert {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in there} == made, (
        "run `make reference`"
    )


def test_the_page_of_options_is_current() -> None:
    made = runpy.run_path(str(DOCS / "options.py"))["page"]()
    assert (DOCS / "options.md").read_text("utf-8") == made, "run `make reference`"


def test_the_page_of_places_is_current() -> None:
    made = runpy.run_path(str(DOCS / "where.py"))["page"]()
    assert (DOCS / "where.md").read_text("utf-8") == made, "run `make reference`"


def test_the_page_of_words_is_current(tmp_path: Path) -> None:
    made = runpy.run_path(str(DOCS / "words.py"))
    assert (DOCS / "words.md").read_text("utf-8") == made["page"](), (
        "run `make docs`, or docs/words.py alone"
    )
    assert (DOCS / "pictures/words.svg").read_bytes() == made["picture"](tmp_path), (
        "run `make docs`"
    )


def test_the_slip_of_getting_started_is_told_as_it_says(platelayer, tmp_path: Path) -> None:
    platelayer("new", "my-game")
    path = tmp_path / "my-game/map.json"
    path.write_text(path.read_text("utf-8").replace('"hill"', '"swamp"'), "utf-8")
    told = re.search(
        r"```\n(my-game/map.*) \.\.\. (\(hint.*)\n```",
        (DOCS / "getting-started.md").read_text("utf-8"),
    )
    assert told is not None
    done = platelayer("check", "my-game")
    assert told[1].split(":", 1)[1].split(" ", 1)[1] in done.stdout.replace("my-game/", "")
    assert told[2] in done.stdout


def test_every_code_is_explained_and_listed() -> None:
    index = (DOCS / "rules.md").read_text("utf-8")
    entries = "".join(path.read_text("utf-8") for path in DOCS.glob("rules/*.md"))
    texts = {code: explain(code) for code in known_codes()}
    assert [
        code
        for code, text in texts.items()
        if not text.startswith(f"{code} ")
        or len(text) <= 80
        or f"[{code}](rules/" not in index
        or f"## {code} " not in entries
        or "Wrong: " not in " ".join(text.split())
        or "Right: " not in " ".join(text.split())
    ] == []


def test_codes_in_the_source_are_known() -> None:
    """A problem is made with a code in quotes; every such code can be explained. (After a colon it
    is an example.)"""
    found = {
        code
        for path in (ROOT / "generator" / "platelayer").rglob("*.py")
        for code in re.findall(r'(?<!: )"([A-Z]{2}[0-9]{2})"', path.read_text("utf-8"))
    }
    assert found <= set(known_codes())


def test_the_examples_of_the_python_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one program, in order, in an empty folder; what they add to the package is taken out
    again."""
    monkeypatch.chdir(tmp_path)
    kept = [(table, dict(table)) for table in (KINDS, RULES)]
    importers = [*IMPORTERS]
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "python.md").read_text("utf-8"), re.DOTALL)
    assert len(blocks) >= 10
    try:
        exec(compile("\n".join(blocks), "docs/python.md", "exec"), {"__name__": "page"})
    finally:
        for table, was in kept:
            table.clear()
            table.update(was)
        IMPORTERS[:] = importers
    assert (tmp_path / "output/18eu/manifest.json").exists()


def test_bounds_are_those_of_the_code() -> None:
    text = (DOCS / "checking.md").read_text("utf-8")
    assert f"at most {MAX_BYTES // 2**20} MB, {MAX_DEPTH} levels" in text
    assert f"an earlier print has at most {records.MAX_BYTES // 2**20} MB" in text
    assert (
        f"{raw_schema('map')['$defs']['block']['properties']['hexes']['maxProperties']} hexes per map"
        in text
    )
    assert f"{raw_schema('title-tiles')['$defs']['block']['maxProperties']} tile numbers" in text
    assert f"{raw_schema('companies')['$defs']['block']['maxProperties']} companies" in text
    assert f"counts up to {raw_schema('common')['$defs']['count']['maximum']}" in text


def test_documents_name_files_that_are_there() -> None:
    for page in (*ROOT.glob("*.md"), *DOCS.rglob("*.md")):
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text("utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_documents_name_modules_that_are_there() -> None:
    """A path in backquotes is one of the checkout or of the package."""
    pages = (ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *DOCS.glob("decisions/*.md"))
    for page in pages:
        for name in re.findall(
            r"`([\w.-]+/[\w./-]+\.(?:py|c|md|json|toml))`", page.read_text("utf-8")
        ):
            homes = (ROOT, ROOT / "generator/platelayer", ROOT / "generator/platelayer/imposition")
            assert any((home / name).exists() for home in homes), f"{page.name}: {name}"


def test_every_decision_is_listed() -> None:
    folder = DOCS / "decisions"
    listed = (folder / "README.md").read_text("utf-8")
    records = sorted(path.name for path in folder.glob("0*.md"))
    assert [name for name in records if f"]({name}) " not in listed] == []
    assert [name[:4] for name in records] == [
        f"{number:04}" for number in range(1, len(records) + 1)
    ]


@pytest.mark.parametrize(
    "title", sorted(path.parent.name for path in (ROOT / "assets/titles").glob("*/title.json"))
)
def test_the_gallery_shows_every_title(title: str) -> None:
    picture = DOCS / f"pictures/gallery-{title}.webp"
    assert f"](docs/pictures/{picture.name})" in (ROOT / "README.md").read_text("utf-8")
    with Image.open(picture) as seen:
        assert 1200 <= seen.width <= 1600, "wide enough to read, on a page and closer"
    assert picture.stat().st_size < 450_000, "a page of five pictures is to load fast"


@pytest.mark.parametrize(
    "title", sorted(path.parent.name for path in (ROOT / "assets/titles").glob("*/title.json"))
)
def test_every_title_is_seen_in_play(title: str) -> None:
    picture = DOCS / f"pictures/table-{title}.webp"
    assert f"](pictures/{picture.name})" in (DOCS / "gallery.md").read_text("utf-8")
    with Image.open(picture) as seen:
        assert seen.width >= 2000, "a token is to be seen close up"
        small = seen.convert("RGB").resize((120, 80)).tobytes()
    shades = zip(small[::3], small[1::3], small[2::3], strict=True)
    bare = sum(40 < red < green < 80 and blue < 75 for red, green, blue in shades)
    assert bare < 0.12 * 120 * 80, "nobody looks at a bare table"


def test_every_picture_is_shown() -> None:
    pages = (*ROOT.glob("*.md"), *DOCS.glob("*.md"), *DOCS.glob("ja/*.md"))
    texts = "".join(page.read_text("utf-8") for page in pages)
    assert [
        p.name for p in (DOCS / "pictures").iterdir() if f"pictures/{p.name})" not in texts
    ] == []


def test_no_document_has_an_address_to_fill_in() -> None:
    pages = [*ROOT.glob("*.md"), *DOCS.glob("*.md"), ROOT / "pyproject.toml"]
    assert [
        page.name for page in pages if re.search(r"\bOWNER\b", page.read_text(encoding="utf-8"))
    ] == []


def test_one_file_of_the_tests_knows_what_lies_beside_the_checkout() -> None:
    files = {
        path.name
        for path in (ROOT / "tests").rglob("*.py")
        if re.search(r'parents?\b.*"shared"|\.\./shared', path.read_text(encoding="utf-8"))
    }
    assert files - {Path(__file__).name} == {"beside.py"}
