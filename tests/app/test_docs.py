"""Documents that are made from the code, or speak of it, say what it says."""

from __future__ import annotations

import json
import os
import re
import runpy
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from platelayer.cli.app import cli
from platelayer.definitions import themes as records
from platelayer.definitions.schemas import raw_schema
from platelayer.definitions.source import MAX_BYTES, MAX_DEPTH
from platelayer.definitions.themes import profile_ids
from platelayer.exchange.importers import IMPORTERS
from platelayer.imposition.paper import standard_papers, standard_sizes
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


# Commands of the documents: each page from top to bottom, in an empty folder, as a reader would
# type them


PAGES = [
    "docs/getting-started.md",
    *(
        pytest.param(page, marks=pytest.mark.slow)
        for page in (
            *("README.md", "README.ja.md", "docs/checking.md", "docs/importing.md"),
            *(path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("docs/printing*.md"))),
            *("docs/exporting.md", "docs/atlas.md"),
        )
    ),
]
# Set-up: tests/app/test_wheel.py and test_release.py try it.
SET_UP = (
    "make",
    "pipx",
    "uv",
    "uvx",
    "python3",
    "podman",
    "docker",
    "eval",
    "_PLATELAYER_COMPLETE",
)


def _files(text: str) -> dict[str, str]:
    """Files that a page shows, by the name in the comment above each."""
    return dict(re.findall(r"<!-- ([\w./-]+) -->\n```\w*\n(.*?)```\n", text, re.DOTALL))


def _lines(text: str) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = "".join(blocks).replace("\\\n", "").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def _output_of(line: str) -> str | None:
    """The file or folder that a command is told to write."""
    words = shlex.split(line, comments=True)
    return words[words.index("-o") + 1] if "-o" in words else None


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_do_what_they_say(page: str, tmp_path: Path) -> None:
    text = (ROOT / page).read_text("utf-8")
    folder = tmp_path / "empty"
    folder.mkdir()
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PLATELAYER_CACHE": str(tmp_path / "cache"),
    }
    for name, shown in _files(text).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(shown, "utf-8")
    typed = [line for line in _lines(text) if not line.startswith(SET_UP)]
    assert sum(line.startswith("platelayer ") for line in typed) >= 3
    environment |= {"HOME": str(tmp_path), "SHELL": "/bin/bash"}
    for line in typed:
        done = subprocess.run(
            ["bash", "-ec", line],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        if (output := _output_of(line)) is not None:
            assert (folder / output).exists(), line


# The pages docs/printing*.md keep their word: their commands run, their example is a sheet plan,
# and what they list is complete


PAGE = "".join(path.read_text("utf-8") for path in sorted(ROOT.glob("docs/printing*.md")))
COMMANDS = [
    shlex.split(line, comments=True)[1:]
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]
PLAN = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)[1]
FEW = {
    "18eu": {
        "map": "map",
        "checklist": "checklist",
        "": "tile:57,tile:14,train:2,token:BNR*,number-card,certificate:BNR-10,charter:BNR",
    },
    "18cz": {"": "map"},
    "lost-atlas": {"": "map-tile:1"},
}
"""The commands are run with a few pieces alone, where they do not choose themselves."""


def run(words):
    if words[0] == "build" and "--pieces" not in words:
        kinds = words[words.index("--only") + 1] if "--only" in words else ""
        few = FEW[words[1]].get(kinds) or FEW[words[1]][""]
        chosen = [
            piece
            for piece in few.split(",")
            if not kinds or piece.partition(":")[0] in kinds.split(",")
        ]
        words = [*words, "--pieces", ",".join(chosen)]
    return CliRunner().invoke(cli, words)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """An empty folder with the page's sheet plan and an earlier print of everything."""
    (tmp_path / "my-sheets.json").write_text(PLAN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", [words for words in COMMANDS if "--size" in words], ids=" ".join)
@pytest.mark.usefixtures("desk")
def test_sizes_suit_every_piece(words):
    """Whole, as written; the others are whole in the slow test of commands."""
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output


def prepare(words):
    """What a command builds on."""
    if words[0] == "preflight" or "--since" in words:
        before = ["build", "18eu", "--pieces", "train:2"]
        assert (
            run([*before, "--profile", "offset"] if words[0] == "preflight" else before).exit_code
            == 0
        )


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_its_commands_run(words, desk):
    prepare(words)
    result = run(words)
    assert result.exit_code == 0, result.output
    if words[0] == "build":
        assert (
            json.loads((desk / "output" / words[1] / "manifest.json").read_text("utf-8"))["files"]
            or "--since" in words
        )


def test_its_sheet_plan_does_what_it_says(desk):
    result = run(
        [
            "build",
            "18eu",
            "--sheets",
            "my-sheets.json",
            "--layout",
            "tiles=wide",
            "--layout",
            "tokens=labels",
        ]
    )
    assert result.exit_code == 0, result.output
    made = json.loads((desk / "output" / "18eu" / "manifest.json").read_text("utf-8"))
    assert {entry["file"] for entry in made["files"]} >= {
        "number-cards.pdf",
        "tiles.pdf",
        "tokens.pdf",
    }
    tops = sorted(entry["trim_mm"][1] for entry in made["placements"] if entry["kind"] == "token")
    assert [b - a for a, b in pairwise(tops)] == pytest.approx([24.4] * (len(tops) - 1), abs=1e-3)
    assert len(tops) > 3


def test_it_names_all_papers_sizes_and_profiles():
    assert len(COMMANDS) > 25
    for name in (
        *standard_papers(),
        *(key for key in standard_sizes() if key[:4] not in ("disc", "hex-")),
    ):
        assert f"`{name}`" in PAGE
    rows = re.findall(r"^\| (`[a-z]+`(?:, `[a-z]+`)*) \|", PAGE, re.MULTILINE)
    assert {name for row in rows for name in re.findall("[a-z]+", row)} == set(profile_ids())


# Japanese documents say what the English ones say: the same commands, options, tables, examples
# and numbers


PAIRS = {"README.ja.md": "README.md"} | {
    f"docs/ja/{path.name}": f"docs/{path.name}"
    for path in sorted((ROOT / "docs/ja").glob("*.md"))
    if path.name != "index.md"
}
# Numbers that English writes as words: games, copies, companies, degrees for sixths of a turn.
IN_WORDS = {
    "docs/ja/atlas-method.md": {"0.5"},
    "README.ja.md": {"15"},
    "docs/ja/checking.md": {"150", "5000"},
    "docs/ja/positions.md": {"60"},
    "docs/ja/printing-home.md": {"90"},
}


def blocks(text: str, *languages: str) -> list[str]:
    return [
        body
        for language, body in re.findall(r"```(\w*)\n(.*?)```", text, re.DOTALL)
        if language in languages
    ]


def commands(text: str) -> list[str]:
    lines = "".join(blocks(text, "sh")).splitlines()
    typed = (re.split(r"\s+#", line)[0].strip() for line in lines)
    return [line for line in typed if line]


def options(text: str) -> set[str]:
    return {*re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)}


def numbers(text: str) -> set[str]:
    """Numbers of two digits and more, and fractions: smaller ones may be words."""
    plain = re.sub(r"\]\([^)]*\)", "", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    found = {*re.findall(r"\d+(?:\.\d+)?", plain.replace(",", ""))}
    return {number for number in found if len(number) > 1}


def names(text: str) -> set[str]:
    """Words in inline code: keys, options, files, codes."""
    spans = re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return {span for span in spans if re.fullmatch(r"[^\s\"{\[]+", span)}


def table_rows(text: str) -> int:
    return len(re.findall(r"^\|", text, re.MULTILINE))


def pictures(text: str) -> list[str]:
    return re.findall(r"!\[[^\]]*\]\([^)]*/([^)/]+)\)", text)


@pytest.mark.parametrize("page", PAIRS)
def test_both_languages_say_the_same(page: str) -> None:
    ours = (ROOT / page).read_text("utf-8")
    english = (ROOT / PAIRS[page]).read_text("utf-8")
    assert commands(ours) == commands(english)
    assert blocks(ours, "json", "python") == blocks(english, "json", "python")
    assert options(ours) - {"--lang"} == options(english) - {"--lang"}
    assert numbers(ours) - numbers(english) <= IN_WORDS.get(page, set())
    assert table_rows(ours) == table_rows(english)
    assert pictures(ours) == pictures(english)


@pytest.mark.parametrize("page", PAIRS)
def test_nothing_is_missing(page: str) -> None:
    ours = (ROOT / page).read_text("utf-8")
    english = (ROOT / PAIRS[page]).read_text("utf-8")
    assert numbers(english) - numbers(ours) == set()
    assert names(english) - names(ours) == set()


def test_the_front_door_leads_to_the_same_pages() -> None:
    both = [(ROOT / name).read_text("utf-8") for name in ("README.md", "README.ja.md")]
    english, ours = (
        {Path(link).name for link in re.findall(r"\]\((docs/[^)#]*\.md)", text)} for text in both
    )
    assert ours == english


def test_the_japanese_home_leads_to_every_page() -> None:
    folder = ROOT / "docs/ja"
    linked = re.findall(r"\]\(([^)/#]*\.md)", (folder / "index.md").read_text("utf-8"))
    assert {*linked, "index.md"} == {path.name for path in folder.glob("*.md")}
