"""Our own files, and the command: what a build prints passes the profile it was printed for."""

from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pytest
from msgspec.structs import replace
from PIL import Image

from handmade import finished, font, made, words
from often import often
from packs import Pack
from platelayer.definitions.themes import load_profile
from platelayer.preflight.inspect import check_file, inspect_pdf

LAUNCH = pikepdf.Dictionary(S=pikepdf.Name.Launch)


def printed(pack: Pack) -> list[Path]:
    return [path for path in pack.files if path.suffix == ".pdf"]


def test_the_pack_of_18eu_passes_at_home(pack: Pack) -> None:
    limits = load_profile("home").limits
    for path in printed(pack):
        assert words(check_file(path, limits)) == ""


def test_the_pack_for_home_is_not_for_a_press(pack: Pack) -> None:
    """RGB, no bleed, no PDF/X: preflight sees what is in real files."""
    told = words(
        check_file(
            next(path for path in printed(pack) if path.stem == "tiles"),
            load_profile("offset").limits,
        )
    )
    for code in ("PF07", "PF11", "PF20"):
        assert code in told


def test_it_looks_at_every_size_of_text(pack: Pack) -> None:
    """The smallest text of the tiles is their number: 4 pt (LG01); with 4.5 pt asked, it is
    told."""
    path = next(path for path in printed(pack) if path.stem == "tiles")
    limits = replace(load_profile("home").limits, text_pt=30)
    assert "PF17" in words(inspect_pdf(path.read_bytes(), "tiles.pdf", limits))


@pytest.mark.parametrize("profile", often(["offset", "drivethrucards"], "offset"))
def test_our_own_prints_are_read_faster_with_the_same_result(profile: str, pack: Pack) -> None:
    limits = load_profile(profile).limits
    for path in printed(pack):
        data = path.read_bytes()
        assert inspect_pdf(data, path.name, limits, ours=True) == inspect_pdf(
            data, path.name, limits
        )


def test_the_structure_of_a_print_at_home_is_checked(pack: Pack) -> None:
    limits = load_profile("home").limits
    for path in printed(pack):
        assert inspect_pdf(path.read_bytes(), path.name, limits, painted=False) == ()
    pdf = pikepdf.new()
    whole = replace(limits, boxes=("trim",), subset_fonts=True)
    for font_name, embedded in (("ABCDEF+Lost", False), ("Whole", True)):
        page = pikepdf.Dictionary(
            Font=pikepdf.Dictionary(F1=font(pdf, font_name, embedded=embedded))
        )
        finished(pdf, b"BT /F1 9 Tf (a) Tj ET", page, page={"/TrimBox": None})
    data = finished(pdf, page={"/Annots": pikepdf.Array([pikepdf.Dictionary(A=LAUNCH)])})
    found = words(inspect_pdf(data, "it.pdf", whole, painted=False))
    for message in (
        "PF06 pages 1-2: the page has no TrimBox",
        "PF09 the font ABCDEF+Lost (TrueType) is not embedded",
        "PF10 the font Whole is embedded whole",
        "PF21 page 3: it holds an action (Launch)",
    ):
        assert message in found


def test_the_command(platelayer, tmp_path: Path) -> None:
    (tmp_path / "good.pdf").write_bytes(made(b"0 g"))
    (tmp_path / "bad.pdf").write_bytes(made(b"1 0 0 rg 0 0 m 9 9 l f"))
    good = platelayer("preflight", "good.pdf")
    assert (good.returncode, good.stdout) == (0, "1 file checked: no problems\n")
    bad = platelayer("preflight", "good.pdf", "bad.pdf", "--profile", "offset", "--format", "json")
    assert bad.returncode == 1
    value = json.loads(bad.stdout)
    assert value["checked"] == 2
    assert value["totals"]["error"] == len(value["problems"])
    found = {(each["code"], each["file"]) for each in value["problems"]}
    assert ("PF11", "bad.pdf") in found
    assert ("PF11", "good.pdf") not in found
    first = next(each for each in value["problems"] if each["code"] == "PF11")
    assert first["pages"] == [1]
    assert first["message"] == "page 1: DeviceRGB is used (fill); allowed: gray, cmyk, spot"


def test_the_command_with_what_is_no_file(platelayer, tmp_path: Path) -> None:
    done = platelayer("preflight", "nowhere.pdf", str(tmp_path))
    assert done.returncode == 1
    assert done.stdout.count("FI01") == 2
    assert platelayer("preflight", "nowhere.pdf", "--profile", "offsett").returncode == 1
    assert platelayer("preflight").returncode == 2
    assert platelayer("preflight", "x.pdf", "--format", "xml").returncode == 2


def test_pictures_where_the_shop_takes_them(tmp_path: Path) -> None:
    path = tmp_path / "card.png"
    Image.new("RGB", (825, 1125)).save(path, dpi=(300, 300))
    assert check_file(path, load_profile("thegamecrafter").limits) == ()
    (problem,) = check_file(path, load_profile("home").limits)
    assert problem.code == "PF01"


@pytest.mark.parametrize("profile", ["home", "drivethrucards", "thegamecrafter", "offset"])
def test_same_bytes_same_problems(profile: str, pack: Pack) -> None:
    path = next(path for path in printed(pack) if path.stem == "boards")
    limits = load_profile(profile).limits
    assert check_file(path, limits) == check_file(path, limits)


def test_a_file_of_one_byte_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "it.pdf"
    path.write_bytes(made())
    limits = load_profile("home").limits
    monkeypatch.setattr("platelayer.preflight.inspect._MAX_FILE_BYTES", path.stat().st_size)
    assert check_file(path, limits) == ()
    path.write_bytes(made() + b"\n")
    assert "PF05" in words(check_file(path, limits))
