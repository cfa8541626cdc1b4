"""The packs as printers take them: every profile's files pass our preflight and the programs of
others."""

import json
import subprocess

import pikepdf
import pytest

from often import often
from packs import build
from platelayer.definitions.themes import profile_ids
from platelayer.foundation.problems import Severity
from platelayer.foundation.resources import title_ids
from platelayer.pipeline.build import read_options
from platelayer.pipeline.load import preflight

PACKS = often(
    (
        (title, profile)
        for title in title_ids()
        for profile in profile_ids()
        if profile != "pictures"
    ),
)


def checked(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def packs(tmp_path_factory):
    """Packs by title and profile, each built once."""
    made = {}

    def pack(title, profile):
        if (title, profile) not in made:
            folder = tmp_path_factory.mktemp(f"{title}-{profile}")
            # A shop of hexes refuses map tiles, which it does not make.
            refuses = (title, profile) == ("lost-atlas", "thegamecrafter")
            given = {"without": ("map-tile", "overlay", "capital-project")} if refuses else {}
            made[title, profile] = build(title, folder, read_options(profile, given)).folder
        return made[title, profile]

    return pack


@pytest.mark.parametrize(("title", "profile"), PACKS)
def test_a_pack_passes_preflight_and_the_checkers_of_others(title, profile, packs):
    folder = packs(title, profile)
    files = sorted((*folder.glob("*.pdf"), *folder.glob("*/*.png")))
    assert files
    found = [
        str(problem)
        for problem in preflight(files, profile)
        if problem.severity is not Severity.NOTE
    ]
    assert found == []
    for path in folder.glob("*.pdf"):
        assert "No syntax or stream encoding errors" in checked("qpdf", "--check", path)
        words = checked(
            "gs", "-q", "-dBATCH", "-dNOPAUSE", "-dPDFSTOPONWARNING", "-sDEVICE=nullpage", path
        )
        assert "Error" not in words


def test_what_a_shop_says_it_takes_is_what_the_files_say(tmp_path):
    for profile, release in (("offset", "PDF/X-4"), ("drivethrucards", "PDF/X-1a:2003")):
        options = read_options(profile, {"only": ("certificate", "train")})
        files = [*build("18eu", tmp_path / profile, options).folder.glob("*.pdf")]
        assert files
        for path in files:
            with pikepdf.open(path) as pdf:
                xmp = bytes(pdf.Root.Metadata.read_bytes()).decode()
                said = str(pdf.docinfo.get("/GTS_PDFXVersion", "")) or (
                    "PDF/X-4" if "PDF/X-4" in xmp else ""
                )
                assert said == release
                assert pdf.Root.OutputIntents[0].S == "/GTS_PDFX"
                assert pdf.pdf_version == ("1.6" if release == "PDF/X-4" else "1.4")


def test_what_is_left_out_is_said(packs):
    manifest = json.loads(
        (packs("18eu", "drivethrucards") / "manifest.json").read_text(encoding="utf-8")
    )
    kinds = {entry["kind"] for entry in manifest["placements"]}
    assert {
        "certificate",
        "train",
        "number-card",
        "priority-card",
        "summary",
        "phase-card",
    } <= kinds
    assert not kinds & {"map", "tile", "charter", "token"}
