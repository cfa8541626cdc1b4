"""The commands of positions and supply."""

from __future__ import annotations

import json
from pathlib import Path

from play.test_positions import GAME


def test_a_game_file_becomes_a_map(platelayer, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(json.dumps(GAME), encoding="utf-8")
    done = platelayer("position", "import", "game.json", "-o", "paused.json")
    assert (done.returncode, done.stdout) == (0, "paused.json: 2 tiles, 4 tokens\n")
    assert "not told: what became of the tokens of 1" in done.stderr
    done = platelayer(
        "draw", "18eu", "map", "--position", "paused.json", "--numbers", "-o", "paused.svg"
    )
    assert (done.returncode, done.stdout) == (0, "paused.svg\n")
    done = platelayer("draw", "1841", "map", "--position", "paused.json", "-o", "wrong.svg")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--position: paused.json is a position of 18eu, not of 1841" in done.stderr


def test_a_position_is_checked_beside_titles(platelayer, tmp_path: Path) -> None:
    wrong = {"format": "platelayer.position/1", "title": "18eu", "tiles": {"E6": "57"}}
    (tmp_path / "wrong.json").write_text(json.dumps(wrong), encoding="utf-8")
    done = platelayer("check", "wrong.json")
    assert done.returncode == 1
    assert "wrong.json:1:" in done.stdout
    assert "PO02" in done.stdout
    done = platelayer("draw", "18eu", "map", "--position", "wrong.json", "-o", "wrong.svg")
    assert done.returncode == 1
    assert not (tmp_path / "wrong.svg").exists()


def test_supply_writes_a_report_and_its_proof(platelayer, tmp_path: Path) -> None:
    words = ("--witness", "board.json", "--bound", "gray: city", "-o", "supply.pdf")
    done = platelayer("supply", "18eu", "--format", "json", *words)
    assert done.returncode == 0
    assert json.loads(done.stdout)["title"] == "18eu"
    assert len(json.loads((tmp_path / "board.json").read_text(encoding="utf-8"))["tiles"]) == 5
    assert (tmp_path / "supply.pdf").read_bytes().startswith(b"%PDF")
    assert platelayer("check", "board.json").returncode == 0
    assert platelayer("supply", "18eu", "--map", "elsewhere").returncode == 2


def test_what_was_read_is_never_written_over(platelayer, tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    game.write_text(json.dumps(GAME), encoding="utf-8")
    before = game.read_bytes()
    (tmp_path / "link.json").symlink_to(game)
    for name in ("game.json", "link.json"):
        done = platelayer("position", "import", "game.json", "-o", name)
        assert done.returncode == 2
        assert f"cannot write {name}: it is what was read" in done.stderr
    assert game.read_bytes() == before
    done = platelayer("supply", "18eu", "--witness", "one.json", "-o", "./one.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert not (tmp_path / "one.json").exists()
