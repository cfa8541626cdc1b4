"""A private and a company may share an id: each is in its own block, and its pieces are of its own
kinds."""

import json
from pathlib import Path

import pytest

from platelayer.definitions.titles import load_title
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.draw import draw
from shipped import shipped

BASE = Path(__file__).parents[1] / "rules" / "base.json"
PRIVATE = {
    "name": "Northern Mail Coach",
    "kind": "private",
    "colour": "#7a4b1e",
    "value": 40,
    "income": 10,
    "abilities": ["Blocks A2."],
    "blocks": ["A2"],
    "used": "The coach has left.",
}


@pytest.fixture
def title(tmp_path):
    value = json.loads(BASE.read_text(encoding="utf-8")) | {"privates": {"NR": PRIVATE}}
    value["maps"]["main"]["hexes"]["A6"]["reserved"] = ["NR"]
    path = tmp_path / "title.json"
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def test_pieces_come_from_their_own_block(title):
    loaded = load_title(title)
    by_key = build_manifest(loaded.title).by_key
    assert by_key["private:NR"].origin == ("privates", "NR")
    assert by_key["charter:NR"].origin == ("companies", "NR")
    assert by_key["private:NR"].back == "play"
    words = [
        draw(str(title), key).svg().decode()
        for key in ("private:NR", "charter:NR", "private:NR:back")
    ]
    assert "Northern Mail Coach" in words[0] or "NORTHERN MAIL COACH" in words[0].upper()
    assert "Northern Railway" in words[1]
    assert "The coach has left." in words[2]


def test_a_title_may_keep_its_privates_among_the_companies(title):
    value = json.loads(title.read_text(encoding="utf-8"))
    value["companies"]["P1"] = value["privates"].pop("NR")
    title.write_text(json.dumps(value), encoding="utf-8")
    assert build_manifest(shipped(title)).by_key["private:P1"].origin == (
        "companies",
        "P1",
    )
