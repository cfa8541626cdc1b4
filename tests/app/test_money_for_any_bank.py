"""Notes for titles whose boxes have none: they add up to the bank, and are only made when asked
for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from platelayer.definitions.titles import load_title
from platelayer.foundation.problems import CannotRun
from platelayer.model.manifest import notes_of
from platelayer.pipeline.load import read_manifest

# Rulebooks: 18EU 1.1, 1824 III, 1841 1.2; the variants as in the rulebooks of their titles.
BANKS = [
    ("18eu", None, 12000),
    ("1824", None, 12000),
    ("1824", "cisleithania-2", 4000),
    ("1824", "cisleithania-3", 9000),
    ("1841", None, 14400),
    ("1841", "lite", 10900),
]


@pytest.mark.parametrize(("title", "variant", "bank"), BANKS)
def test_notes_add_up_to_the_bank(title: str, variant: str | None, bank: int) -> None:
    assert "money" not in read_manifest(title, variant=variant).totals
    notes = [
        piece
        for piece in read_manifest(title, variant=variant, money=True).pieces
        if piece.kind == "money"
    ]
    assert sum(int(note.id) * note.count for note in notes) == bank
    counts = {int(note.id): note.count for note in notes}
    assert counts[1] >= 20, "change for shares of odd revenue"
    assert sum(counts.values()) <= 300


@pytest.mark.parametrize("bank", [1, 7, 99, 500, 1234, 6000, 12000, 24500, 50000, 999999])
def test_any_bank_can_be_made_of_notes(bank: int) -> None:
    notes = notes_of(bank)
    assert sum(value * count for value, count in notes) == bank
    assert list(notes) == sorted(notes)
    assert all(count > 0 for _, count in notes)


@pytest.mark.parametrize("title", ["18cz", "lost-atlas"])
def test_a_box_with_money_keeps_its_own(title: str) -> None:
    own = load_title(title).title.pieces.money
    assert own
    asked = [piece for piece in read_manifest(title, money=True).pieces if piece.kind == "money"]
    assert [(int(piece.id), piece.count) for piece in asked] == list(own)


def test_a_title_without_bank_and_money_cannot_have_notes(tmp_path: Path) -> None:
    title = {"format": "platelayer.title/1", "id": "x", "name": "X"}
    (tmp_path / "title.json").write_text(json.dumps(title), encoding="utf-8")
    with pytest.raises(CannotRun, match="x has neither notes nor a bank") as raised:
        read_manifest(str(tmp_path), money=True)
    assert "\n" not in str(raised.value)
