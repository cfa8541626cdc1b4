"""The file of a draft that lists what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from platelayer.foundation.problems import Problem
from platelayer.imposition.findings import findings_document
from platelayer.pipeline.job import PrintedFile, PrintJob


def findings_file(job: PrintJob, problems: Iterable[Problem], folder: Path) -> PrintedFile:
    """All problems of a draft as a PDF file of their own, on the paper of the print. Files are named as seen from the
    title's folder, which is nobody else's business."""
    from platelayer.render.pdf import render_pdf

    document = findings_document(
        job.title.name.get(job.style.language),
        [replace(each, file=_from(folder, each.file)) for each in problems],
        paper=job.paper,
        margin_mm=job.margin_mm,
        theme=job.style.theme,
        tongue=job.style.tongue,
    )
    data = render_pdf(document, colour=job.colour, standard=job.standard)
    return PrintedFile(name=f"{document.stem}.pdf", data=data, pages=len(document.pages), placements=())


def _from(folder: Path, file: str) -> str:
    path = Path(file)
    return path.relative_to(folder).as_posix() if file and path.is_relative_to(folder) else path.name
