"""Backs that are printed like fronts, on sheets of one side: the foot of the sheet names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs import pdf_text
from platelayer.pipeline.build import build
from platelayer.pipeline.options import BuildOptions


@pytest.mark.parametrize(
    ("language", "told"), [("en", "Course of play (back) ×2"), ("ja", "ゲームの流れ（裏） ×2")]
)
def test_backs_beside_fronts_are_named(tmp_path: Path, language: str, told: str) -> None:
    options = BuildOptions(pieces=("summary:play",), players=4, language=language)
    build("18eu", options).write(tmp_path)
    text = pdf_text(tmp_path / "18eu" / "cards.pdf")
    assert text.replace(" ", "").count(told.replace(" ", "")) == 2


def test_backs_behind_fronts_are_not(tmp_path: Path) -> None:
    build("18eu", BuildOptions(pieces=("summary:play",), players=4, duplex="long")).write(tmp_path)
    text = pdf_text(tmp_path / "18eu" / "cards.pdf")
    assert "(back)" not in text
    assert "Back of sheet" in text
