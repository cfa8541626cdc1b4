"""Card shops make every card of every title."""

import json
import re
import subprocess
import sys

import pytest

from packs import build
from platelayer.definitions.titles import load_title
from platelayer.foundation.resources import title_ids
from platelayer.model.kinds import KINDS
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.build import read_options

SHOPS = ("drivethrucards", "makeplayingcards", "thegamecrafter")
CARDS = tuple(kind.id for kind in KINDS.values() if kind.is_card)
OFTEN = [("18cz", "thegamecrafter", "en")]
PACKS = [
    pytest.param(title, shop, language, marks=() if (title, shop, language) in OFTEN else pytest.mark.slow)
    for title in title_ids()
    for shop in SHOPS
    for language in ("en", "ja")
]


def test_what_is_a_card():
    assert {"certificate", "private", "train", "number-card", "money", "summary", "phase-card"} <= {*CARDS}
    assert not {"map", "tile", "token", "charter", "market"} & {*CARDS}


@pytest.mark.parametrize(("title", "shop", "language"), PACKS)
def test_a_shop_makes_every_card(title, shop, language, tmp_path):
    options = read_options(shop, {"only": CARDS, "language": language})
    manifest = json.loads((build(title, tmp_path, options).folder / "manifest.json").read_text(encoding="utf-8"))
    made = [(each["kind"], each["id"]) for each in manifest["placements"] if each["face"] == "front"]
    box = [piece for piece in build_manifest(load_title(title).title).pieces if piece.kind in CARDS]
    assert sorted(made) == sorted((piece.kind, piece.id) for piece in box for _ in range(piece.count))


@pytest.mark.parametrize("shop", SHOPS)
def test_a_card_that_a_shop_does_not_make_stops_the_build(shop, tmp_path):
    words = ["build", "18eu", "--pieces", "train:2", "--profile", shop, "--size", "train=100x100mm"]
    command = [sys.executable, "-m", "platelayer", *words, "-o", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert re.search("SH08 .* does not make train pieces of 100 x 100 mm", done.stderr)
    assert not [*tmp_path.iterdir()]
