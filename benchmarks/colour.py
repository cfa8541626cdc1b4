"""Colours of companies on the plates of a press: how far they are from what a title states (CIE 1976).

    python benchmarks/colour.py

Each company's colour fills a square of a CMYK PDF. Ghostscript separates it into plates, and the profile that is
embedded in our files says how their inks look (relative colorimetric). Needs Ghostscript and Pillow.
"""

from __future__ import annotations

import math
import subprocess
import tempfile
from pathlib import Path as File
from typing import Any

from PIL import Image, ImageCms

from platelayer.definitions.titles import load_title
from platelayer.foundation.resources import asset_path, title_ids
from platelayer.imposition.page import Document, Page
from platelayer.render.pdf import render_pdf
from platelayer.render.pdfx import PROFILE
from platelayer.scene.inks import ink_from_hex
from platelayer.scene.shapes import Path, Scene, rectangle_path

DPI, CELL_MM, WIDE_MM, COLUMNS = 150, 5, 210, 40
PLATES = ("Cyan", "Magenta", "Yellow", "Black")
ALIKE = 1.0
"""What a miss may exceed that of the profile's own conversion by, for a colour that no ink makes."""
Lab = tuple[float, float, float]


def transform(source: str, target: str) -> ImageCms.ImageCmsTransform:
    profiles: dict[str, Any] = {
        "RGB": ImageCms.createProfile("sRGB"),
        "LAB": ImageCms.createProfile("LAB"),
        "CMYK": ImageCms.getOpenProfile(str(asset_path("icc", PROFILE))),
    }
    # What a title states has the black of a screen, what is printed that of the press: only the latter is compensated.
    flags = ImageCms.Flags.NONE if (source, target) == ("RGB", "LAB") else ImageCms.Flags.BLACKPOINTCOMPENSATION
    intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
    return ImageCms.buildTransform(profiles[source], profiles[target], source, target, intent, flags)


def converted(value: bytes, source: str, target: str) -> bytes:
    pixel = Image.frombytes(source, (1, 1), value)
    found = ImageCms.applyTransform(pixel, transform(source, target)) or pixel
    return bytes(band.tobytes()[0] for band in found.split())


def lab(value: bytes, source: str) -> Lab:
    """CIE Lab of a colour of a screen, or of inks beside their paper and their black."""
    light, one, other = converted(value, source, "LAB")
    return light / 2.55, one - 128, other - 128


def colours(title: str) -> list[str]:
    """The colours of a title's companies, each once."""
    companies = load_title(title).title.companies
    return [*dict.fromkeys(company.colour for company in companies if company.colour)]


def on_plates(found: list[str]) -> list[bytes]:
    """What Ghostscript's four plates carry in the middle of each colour's square, in steps of 255."""
    cells = [(5 + n % COLUMNS * CELL_MM, 5 + n // COLUMNS * CELL_MM) for n in range(len(found))]
    squares = tuple(
        Path(commands=rectangle_path(x, y, CELL_MM, CELL_MM), fill=ink_from_hex(colour))
        for colour, (x, y) in zip(found, cells, strict=True)
    )
    scene = Scene(key="sheet", width_mm=WIDE_MM, height_mm=WIDE_MM, items=squares)
    whole = (0.0, 0.0, float(WIDE_MM), float(WIDE_MM))
    page = Page(scene=scene, trim=whole, bleed=whole)
    data = render_pdf(Document(stem="c", title="Colours", subject="", pages=(page,)), colour="cmyk")
    with tempfile.TemporaryDirectory() as folder:
        pdf = File(folder) / "c.pdf"
        pdf.write_bytes(data)
        device = ["-sDEVICE=tiffsep", f"-r{DPI}", f"-sOutputFile={folder}/plate.tif"]
        subprocess.run(["gs", "-q", "-dSAFER", "-dNOPAUSE", "-dBATCH", *device, str(pdf)], check=True)
        plates = [Image.open(File(folder) / f"plate({ink}).tif").convert("L") for ink in PLATES]
        middles = [tuple(int((side + CELL_MM / 2) * DPI / 25.4) for side in cell) for cell in cells]
        return [bytes(255 - int(plate.getpixel(middle)) for plate in plates) for middle in middles]  # type: ignore[arg-type]


def misses(title: str) -> dict[str, tuple[float, float, bool]]:
    """For each colour of a title's companies, how far its plates are from it, how far the profile's own conversion is,
    and whether it is printed with black ink alone."""
    found = colours(title)
    rows = {}
    for colour, inks in zip(found, on_plates(found), strict=True):
        stated = bytes.fromhex(colour.lstrip("#"))
        aim = lab(stated, "RGB")
        best = converted(stated, "RGB", "CMYK")
        black = not any(inks[:3])
        rows[colour] = (math.dist(lab(inks, "CMYK"), aim), math.dist(lab(best, "CMYK"), aim), black)
    return rows


def main() -> None:
    print(f"{'title':12}{'colours':>8}{'mean':>7}{'max':>7}   no ink makes; black alone")
    for title in title_ids():
        rows = misses(title)
        if not rows:
            continue
        beyond = {key: miss for key, (miss, best, black) in rows.items() if not black and 3 < miss <= best + ALIKE}
        alone = {key: miss for key, (miss, _, black) in rows.items() if black}
        within = [miss for key, (miss, _, _) in rows.items() if key not in beyond and key not in alone]
        named = "; ".join(", ".join(f"{key} {miss:.1f}" for key, miss in some.items()) for some in (beyond, alone))
        mean = math.fsum(within) / len(within)
        print(f"{title:12}{len(rows):8}{mean:7.1f}{max(within):7.1f}   {named}")


if __name__ == "__main__":
    main()
