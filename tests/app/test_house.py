"""The house in order: layers, licences, and documents that name what there is."""

import json
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

from platelayer.scene.fonts import face_names, measure_font

ROOT = Path(__file__).resolve().parents[2]


def test_imports_go_downward(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert lint_imports() == 0


def test_every_font_has_its_licence_beside_it():
    fonts = ROOT / "assets" / "fonts"
    for path in fonts.glob("*.ttf"):
        family = path.stem.split("-")[0]
        assert "SIL OPEN FONT LICENSE" in (fonts / f"{family}-OFL.txt").read_text(encoding="utf-8").upper(), path.name


@pytest.mark.parametrize("name", face_names())
def test_metrics_are_those_of_the_fonts(name):
    fonts = ROOT / "assets" / "fonts"
    written = json.loads((fonts / "metrics" / f"{name}.json").read_text(encoding="utf-8"))
    assert measure_font(fonts / f"{name}.ttf") == written


def test_no_metrics_without_a_font():
    assert {path.stem for path in (ROOT / "assets" / "fonts" / "metrics").iterdir()} == set(face_names())


def test_architecture_numbers_the_stages_of_the_pipeline():
    import platelayer.pipeline

    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    stages = [line.split()[1] for line in (platelayer.pipeline.__doc__ or "").splitlines() if line[:1].isdigit()]
    assert len(stages) >= 7
    places = [text.index(f"{number}. **{stage}**") for number, stage in enumerate(stages, start=1)]
    assert places == sorted(places)
