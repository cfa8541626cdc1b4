"""The command as a user types it: reports, files, exit codes, and one clear line for every
mistake."""

import json

import pytest

from platelayer.foundation.problems import FAMILIES
from platelayer.pipeline.load import known_codes


def test_help_names_every_command(platelayer):
    done = platelayer("--help")
    assert done.returncode == 0
    for name in ("titles", "check", "manifest", "build", "draw", "new", "explain"):
        assert f"\n  {name} " in done.stdout


def test_titles_name_their_variants_and_how_many_can_play_them(platelayer):
    assert "--variant moravia  2-3 players  Moravia and Silesia" in platelayer("titles").stdout
    rows = json.loads(platelayer("titles", "--format", "json").stdout)["titles"]
    (europe,) = (row for row in rows if row["id"] == "18eu")
    assert {"id": "18eu", "name": "18EU", "players": "2-6"}.items() <= europe.items()
    players = {
        (row["id"], entry["id"]): entry["players"] for row in rows for entry in row["variants"]
    }
    # 18CZ rulebook, section 11; Lost Atlas, micro games.
    assert players["18cz", "bohemia"] == "2"
    assert players["18cz", "moravia"] == "2-3"
    assert players["lost-atlas", "micro2"] == "2"
    assert players["1841", "lite"] == "3-6"


def test_explain_alone_lists_every_code_by_subject(platelayer):
    listed = platelayer("explain").stdout
    assert listed.startswith("Files\n  FI01  file cannot be read\n")
    assert "\n\nJSON\n  JS01  not JSON\n" in listed
    assert [line.split()[0] for line in listed.splitlines() if line.startswith("  ")] == sorted(
        known_codes(), key=lambda code: ([*FAMILIES].index(code[:2]), code)
    )


def test_manifest_follows_the_contract(platelayer):
    value = json.loads(platelayer("manifest", "18eu", "--format", "json").stdout)
    assert value.keys() == {"title", "variant", "pieces", "totals"}
    assert {"kind": "tile", "id": "57", "count": 8}.items() <= next(
        p for p in value["pieces"] if p["id"] == "57"
    ).items()
    assert value["totals"]["tile"] == 191
    assert value["totals"]["tile/yellow"] == 90
    assert sum(p["count"] for p in value["pieces"] if p["kind"] == "tile") == 191
    text = platelayer("manifest", "18eu").stdout
    assert "   8  tile:57" in text
    assert " 191  tile" in text


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("check", "18ue"), 1, "18eu"),
        (("build", "no/such/folder", "-o", "out"), 1, "no/such/folder"),
        (("build", "18eu", "--paper", "40x40mm", "-o", "out"), 1, "too small"),
        (("build", "18eu", "--paper", "99999999x2mm", "-o", "out"), 1, "99999999"),
        (("build", "18eu", "--margin", "900", "-o", "out"), 1, "margin"),
        (("build", "18eu", "--margin", "nan", "-o", "out"), 1, "margin"),
        (("build", "18eu", "--only", "money", "-o", "out"), 2, "has no money"),
        (("draw", "18eu", "tile:5777", "-o", "x.svg"), 2, "tile:57"),
        (("draw", "18eu", "tile:57", "-o", "x.gif"), 2, ".svg, .png or .pdf"),
        (("build", "18eu", "--nonsense"), 2, "--nonsense"),
    ],
)
def test_a_mistake_ends_in_clear_lines_and_no_files(platelayer, tmp_path, words, status, told):
    done = platelayer(*words)
    assert done.returncode == status, done.stderr
    assert told in done.stderr + done.stdout
    assert not list(tmp_path.rglob("*.*"))


def test_an_output_that_cannot_be_written(platelayer):
    done = platelayer("draw", "18eu", "tile:57", "-o", "/proc/57.svg")
    assert done.returncode == 2
    assert "cannot write" in done.stderr
