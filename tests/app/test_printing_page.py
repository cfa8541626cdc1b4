"""The pages docs/printing*.md keep their word: their commands run, their example is a sheet plan, and
what they list is complete."""

import json
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from platelayer.cli.app import cli
from platelayer.definitions.themes import profile_ids
from platelayer.imposition.paper import standard_papers, standard_sizes

ROOT = Path(__file__).resolve().parents[2]
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
    """Whole, as written; the others are whole in test_documents_run.py."""
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
