"""What changed between two definitions, as text, JSON, Markdown and a PDF, from the command and
from Python."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from beside import SHARED, needs
from packs import pdf_text
from platelayer import CannotRun, compare, load
from platelayer.foundation.resources import title_path


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A copy of 18EU, edited in three places."""
    folder = tmp_path / "mine"
    shutil.copytree(title_path("18eu"), folder)
    _edit(folder / "tiles.json", '"14": 4', '"14": 6')
    _edit(folder / "trains.json", '"price": 300', '"price": 320')
    _edit(folder / "companies.json", '"Deutsche Reichsbahn"', '"Reichsbahn"')
    return folder


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.usefixtures("mine")
def test_the_command_tells_each_fact_once(platelayer):
    done = platelayer("compare", "18eu", "mine")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "  tile 14: 4 -> 6" in lines
    assert "  4-train: price 300 -> 320" in lines
    assert '  GSR: name "Deutsche Reichsbahn" -> Reichsbahn' in lines
    assert lines[-1] == "3 changes: 2 in how it is played, 1 in names and texts."


@pytest.mark.usefixtures("mine")
def test_only_what_a_change_is_about(platelayer):
    done = platelayer("compare", "18eu", "mine", "--about", "words")
    assert (
        done.stdout.splitlines()[-1]
        == "1 change: 1 in names and texts. 2 more are about something else."
    )
    assert "tile 14" not in done.stdout


def test_json_says_where_each_fact_stands(platelayer, mine):
    value = json.loads(platelayer("compare", "18eu", "mine", "--format", "json", "--pieces").stdout)
    assert value["format"] == "platelayer.comparison/1"
    (tile,) = (change for change in value["changes"] if change["subject"] == "tile 14")
    assert (tile["what"], tile["before"], tile["after"], tile["aspect"]) == (
        "changed",
        4,
        6,
        "game",
    )
    assert tile["pointer"] == "/tiles/14/count"
    assert Path(tile["place"]["file"]).name == "tiles.json"
    assert (
        '"14": 6'
        in (mine / "tiles.json").read_text(encoding="utf-8").splitlines()[tile["place"]["line"] - 1]
    )
    pieces = {piece["key"]: piece for piece in value["pieces"]}
    assert pieces["tile:14"] == {"key": "tile:14", "what": "more", "print": 2, "throw_away": 0}
    assert pieces["train:4"] == {"key": "train:4", "what": "changed", "print": 4, "throw_away": 4}
    assert "charter:BNR" not in pieces
    assert "charter:GSR" in pieces


@pytest.mark.usefixtures("mine")
def test_markdown_for_a_changelog(platelayer):
    done = platelayer("compare", "18eu", "mine", "--format", "markdown")
    assert "### Tiles\n\n- tile 14: 4 → 6\n" in done.stdout


@pytest.mark.usefixtures("mine")
def test_a_pdf_shows_before_and_after(platelayer, tmp_path):
    done = platelayer("compare", "18eu", "mine", "--pdf", "changes.pdf", "--about", "game")
    assert done.returncode == 0, done.stderr
    text = pdf_text(tmp_path / "changes.pdf")
    assert "Changes: 18eu → mine" in text
    assert "4-train: price 300" in text
    assert "print 2" in text
    assert "print 4, throw away 4" in text
    assert str(tmp_path) not in text
    subprocess.run(
        ["qpdf", "--check", str(tmp_path / "changes.pdf")], capture_output=True, check=True
    )


def test_the_same_comparison_is_the_same_pdf(mine):
    comparison = compare("18eu", mine, pieces=True)
    assert comparison.pdf() == compare("18eu", mine, pieces=True).pdf()


@pytest.mark.usefixtures("mine")
def test_what_a_program_reads_is_the_same_in_any_language(platelayer):
    one, other = (
        json.loads(
            platelayer("compare", "18eu", "mine", "--format", "json", "--lang", language).stdout
        )["changes"]
        for language in ("en", "ja")
    )
    told = ("subject", "text")
    assert [change["text"] for change in other if change["group"] == "Tiles"] == ["タイル14：4 → 6"]
    for change in (*one, *other):
        for key in told:
            del change[key]
    assert one == other
    assert platelayer("compare", "18eu", "mine", "--lang", "xx").returncode == 2


def test_a_folder_as_it_was_at_a_revision(platelayer, mine, tmp_path):
    def git(*words: str) -> None:
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    git("add", "mine")
    git("commit", "-m", "first")
    git("tag", "v1")
    _edit(mine / "tiles.json", '"15": 4', '"15": 5')
    done = platelayer("compare", "mine")
    assert done.stdout.startswith("Tiles\n  tile 15: 4 -> 5\n"), done.stderr
    git("commit", "-am", "second")
    assert platelayer("compare", "mine").stdout == "Nothing differs.\n"
    assert "  tile 15: 5 -> 4\n" in platelayer("compare", "mine", "mine@v1").stdout
    assert "  tile 15: 5 -> 4\n" in platelayer("compare", "mine", "mine@HEAD@{1}").stdout
    assert "  tile 15: 5 -> 4\n" in platelayer("compare", "mine", "mine@@{1}").stdout
    shutil.copytree(mine, tmp_path / "to@home")
    git("add", "to@home")
    git("commit", "-m", "third")
    assert platelayer("compare", "to@home@HEAD", "mine").stdout == "Nothing differs.\n"
    wrong = platelayer("compare", "mine@v2", "mine")
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("platelayer: v2: git knows no such revision of ")


def test_a_title_is_compared_with_a_variant_applied():
    both = compare("1841", "1841", variant="lite")
    assert both.changes == ()
    beside = compare(load("1841"), load("1841", variant="lite"))
    assert beside.changes
    alone = compare("1841", variant="lite")
    assert alone.changes == beside.changes
    assert alone.names == ("1841", "1841 (lite)")


def test_the_command_compares_a_title_with_its_own_variant(platelayer):
    done = platelayer(
        "compare", "18cz", "--variant", "bohemia", "--about", "game", "--format", "json"
    )
    value = json.loads(done.stdout)
    assert (value["before"]["name"], value["after"]["name"]) == ("18cz", "18cz (bohemia)")
    assert value["changes"]


def test_a_variant_that_is_unknown_is_the_only_thing_said(platelayer):
    done = platelayer("compare", "18cz", "--variant", "bavaria")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "1 error"
    # Only the command decides, not a folder that is called like one.
    done = platelayer("compare", "build", "18cz")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "1 error"


def test_what_cannot_be_compared_is_told(platelayer):
    unknown = platelayer("compare", "18eu", "nonesuch")
    assert unknown.returncode == 1
    assert "RF09" in unknown.stderr
    for words in (300 * "a", f"{300 * 'a'}@HEAD", "./" + 300 * "a"):
        long = platelayer("compare", "18eu", words)
        assert long.returncode == 1
        assert "a name that begins with" in long.stderr
        assert "is too long for a file" in long.stderr
    revision = platelayer("compare", "18eu", f"18eu@{300 * 'a'}")
    assert revision.returncode == 2
    assert ": git knows no such revision of " in revision.stderr
    with pytest.raises(CannotRun, match="about: there is no aspect 'gmae'; did you mean \"game\""):
        compare("18eu", "18eu").about("gmae")
    with pytest.raises(CannotRun, match="pieces"):
        compare("18eu", "18eu").pdf()


@needs("corpus")
def test_18eu_against_its_import_shows_what_is_known_and_nothing_else(platelayer):
    game = SHARED / "corpus" / "18xx-games" / "game" / "g_18_eu"
    done = platelayer("compare", "18eu", str(game))
    assert done.returncode == 0, done.stderr
    told, _, one_sided = done.stdout.partition("Only 18eu says\n")
    # The engine has six 8-trains, and leaves the limits of minors and the bonus to its code.
    assert told.splitlines() == [
        "Trains",
        "  8-train: 8 -> 6",
        "",
        "Phases",
        "  phase 2, phase 3: train limits minor 2 -> 4",
        "  phase 4: train limits minor 1 -> 3",
        "  phase 5, phase 6, phase 8: train limits minor 1 -> 2",
        "",
        "Bonuses",
        "  bonus code is new: \"routes by the game's code: revenue_for, check_connected, check_ov ...",
        '  bonus red is gone: "Off-board to off-board (red to red)"',
        "",
    ]
    assert "  3-train: optional 2; 4-train: optional 1\n" in one_sided
