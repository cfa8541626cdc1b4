"""Small documents in, what pikepdf, Ghostscript and other programs see in their bytes out."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Sequence
from pathlib import Path as File

import numpy as np
import pikepdf
from PIL import Image

from platelayer.imposition.paper import Document, Page
from platelayer.render.pdf import render_pdf
from platelayer.scene.shapes import Item, Scene

PLATE_DPI = 150


def page_of(*items: Item, width_mm: float = 210, height_mm: float = 297) -> Page:
    scene = Scene(key="sheet", width_mm=width_mm, height_mm=height_mm, items=items)
    return Page(
        scene=scene,
        trim=(5, 5, width_mm - 10, height_mm - 10),
        bleed=(3, 3, width_mm - 6, height_mm - 6),
    )


def document(*pages: Page, title: str = "Tiles") -> Document:
    return Document(stem="tiles", title=title, subject="Sheets", pages=pages)


def opened(made: Document, **options) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(render_pdf(made, **options)))


def run(command: Sequence[str], pdf: bytes, folder: File) -> str:
    path = folder / "t.pdf"
    path.write_bytes(pdf)
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout


def operators(page_or_form: pikepdf.Object) -> list[tuple[list, str]]:
    return [
        (list(found.operands), str(found.operator))
        for found in pikepdf.parse_content_stream(page_or_form)
    ]


def forms_in(pdf: pikepdf.Pdf) -> list[pikepdf.Object]:
    streams = [thing for thing in pdf.objects if isinstance(thing, pikepdf.Stream)]
    return [thing for thing in streams if thing.get("/Subtype") == "/Form"]


def numbers(values) -> list[float]:
    return [float(value) for value in values]


def plates(pdf: bytes, folder: File) -> dict[str, np.ndarray]:
    """One printing plate an ink of the first page, as Ghostscript separates it: 0 no ink, 1 full
    ink."""
    return plates_of_pages(pdf, folder, last=1)[0]


def plates_of_pages(
    pdf: bytes, folder: File, *, last: int | None = None, dpi: int = PLATE_DPI
) -> list[dict[str, np.ndarray]]:
    """The plates of each page."""
    for old in folder.glob("plate*.tif"):
        old.unlink()
    settings = [
        "-dPDFSTOPONWARNING",
        "-dNOPAUSE",
        "-dBATCH",
        *([f"-dLastPage={last}"] if last else []),
    ]
    device = ["-sDEVICE=tiffsep", f"-r{dpi}", f"-sOutputFile={folder / 'plate%03d.tif'}"]
    run(["gs", "-q", "-dSAFER", *settings, *device], pdf, folder)
    found: dict[str, dict[str, np.ndarray]] = {}
    for path in sorted(folder.glob("plate*(*).tif")):
        page, ink = path.stem.removesuffix(")").split("(")
        with Image.open(path) as image:
            found.setdefault(page, {})[ink] = 1 - np.asarray(image, dtype=float) / 255
    return [*found.values()]
