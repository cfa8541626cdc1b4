"""The house in order: layers, licences, and documents that name what there is."""

from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[2]


def test_imports_go_downward(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert lint_imports() == 0


def test_every_font_has_its_licence_beside_it():
    fonts = ROOT / "assets" / "fonts"
    for path in fonts.glob("*.ttf"):
        family = path.stem.split("-")[0]
        assert "SIL OPEN FONT LICENSE" in (fonts / f"{family}-OFL.txt").read_text(encoding="utf-8").upper(), path.name


def test_metrics_are_those_of_the_fonts():
    import json

    from platelayer.scene.fonts import measure_fonts

    fonts = ROOT / "assets" / "fonts"
    assert measure_fonts(fonts) == json.loads((fonts / "metrics.json").read_text(encoding="utf-8"))


def test_architecture_numbers_the_stages_of_the_pipeline():
    import platelayer.pipeline

    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    stages = [line.split()[1] for line in (platelayer.pipeline.__doc__ or "").splitlines() if line[:1].isdigit()]
    assert len(stages) >= 7
    places = [text.index(f"{number}. **{stage}**") for number, stage in enumerate(stages, start=1)]
    assert places == sorted(places)
