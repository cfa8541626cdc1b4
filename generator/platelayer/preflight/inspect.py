"""Every problem that a print shop would have with a finished file, by the limits of a profile."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf

from platelayer.foundation.door import NotRead, read_start
from platelayer.foundation.problems import Problem
from platelayer.model.profile import Limits
from platelayer.preflight.document import check_annotations, check_document
from platelayer.preflight.findings import ANEW, Findings
from platelayer.preflight.judge import check_page
from platelayer.preflight.objects import (
    BROKEN,
    Budget,
    TooMuch,
    entry,
    items_of,
    matrix_of,
    plain_words,
)
from platelayer.preflight.pages import Boxes, Page, check_boxes, check_sizes, pages_of, read_boxes
from platelayer.preflight.png import SIGNATURE, check_png
from platelayer.preflight.streams import Unmeasured, Unreadable, check_packed, read_stream
from platelayer.preflight.summary import Placed, Summary
from platelayer.preflight.walk import Library, Walker

_MAX_FILE_BYTES = 512 * 2**20
_MAX_PAGES = 2000
_MAX_WARNINGS = 3


def check_file(path: Path, limits: Limits) -> tuple[Problem, ...]:
    """Every problem of a file by the limits of a profile: a PNG is checked as a picture if the
    profile takes pictures, anything else as a PDF. FI01 for a file that cannot be read at all, PF05
    for one that is too large."""
    name = str(path)
    try:
        data = read_start(path, _MAX_FILE_BYTES + 1)
    except NotRead as error:
        return error.found(name).problems
    if limits.png is not None and data.startswith(SIGNATURE):
        return check_png(data, name, limits.png)
    return inspect_pdf(data, name, limits)


def inspect_pdf(data: bytes, name: str, limits: Limits) -> tuple[Problem, ...]:
    """Every problem of a PDF by the limits of a profile; `name` is what problems call the file.

    Codes PF01 to PF22 (`platelayer explain PF01`). Never raises, whatever the bytes contain: an
    unreadable file is a problem too. Reads no more than 32 MB of content, 2000 pages and some
    millions of steps; more is PF05.
    """
    findings, budget = Findings(name), Budget()
    try:
        pdf = _open(data, findings, budget)
        if pdf is not None:
            with pdf:
                _inspect(pdf, limits, findings, budget)
    except TooMuch as error:
        findings.add(
            "PF05",
            f"the check ended early: {error}",
            hint="split the file, or simplify its drawings",
        )
    return findings.problems()


def _open(data: bytes, findings: Findings, budget: Budget) -> pikepdf.Pdf | None:
    if b"%PDF-" not in data[:1024]:
        words = (
            "the file is empty" if not data else "this is not a PDF: it does not begin with %PDF-"
        )
        findings.add("PF01", words, hint="name a PDF file")
        return None
    if len(data) > _MAX_FILE_BYTES:
        raise TooMuch(f"it has more than {_MAX_FILE_BYTES // 2**20} MB")
    try:
        check_packed(data, budget)
        return pikepdf.open(io.BytesIO(data), suppress_warnings=True, inherit_page_attributes=False)
    except Unmeasured:
        if b"/Encrypt" in data:
            message = (
                "the file is encrypted and its objects are packed, so nothing in it can be checked"
            )
            findings.add(
                "PF02", message, hint="save it without a password and without restrictions"
            )
        else:
            findings.add(
                "PF03", "its object streams are damaged, so nothing in it can be checked", hint=ANEW
            )
    except pikepdf.PasswordError:
        findings.add(
            "PF02",
            "the file is encrypted and opens only with a password",
            hint="save it without one",
        )
    except BROKEN as error:
        findings.add("PF01", f"the file is damaged beyond reading: {plain_words(error)}", hint=ANEW)
    return None


def _inspect(pdf: pikepdf.Pdf, limits: Limits, findings: Findings, budget: Budget) -> None:
    library = Library(budget, wants_quads=limits.page_is_piece and limits.safe_mm > 0)
    try:
        check_document(pdf, limits, findings, budget)
        _inspect_pages(pdf, library, limits, findings)
    except BROKEN as error:
        findings.add("PF03", f"its structure is damaged: {plain_words(error)}", hint=ANEW)
    finally:
        warnings = pdf.get_warnings()
        for warning in warnings[:_MAX_WARNINGS]:
            findings.add("PF03", f"it is damaged: {plain_words(warning)}", hint=ANEW)
        if len(warnings) > _MAX_WARNINGS:
            findings.add(
                "PF03", f"it is damaged in {len(warnings) - _MAX_WARNINGS} more places", hint=ANEW
            )


def _inspect_pages(pdf: pikepdf.Pdf, library: Library, limits: Limits, findings: Findings) -> None:
    pages, count = list[Page](), 0
    for count, page in enumerate(pages_of(pdf.Root, findings, library.budget), start=1):
        if count <= _MAX_PAGES:
            pages.append(page)
    if not pages:
        findings.add("PF01", "the file has no pages", hint=ANEW)
    if count > _MAX_PAGES:
        findings.add("PF05", f"it has {count} pages; only the first {_MAX_PAGES} are checked")
    if limits.pages_in_pairs and count % 2:
        findings.add(
            "PF08",
            f"it has {count} pages; fronts and backs come in pairs",
            hint="add the missing side",
        )
    sized: list[tuple[int, Boxes]] = []
    for number, page in enumerate(pages, start=1):
        try:
            boxes = _inspect_page(page, number, library, limits, findings)
        except BROKEN as error:
            findings.add(
                "PF04", f"the page cannot be read: {plain_words(error)}", page=number, hint=ANEW
            )
            continue
        if boxes is not None:
            sized.append((number, boxes))
    check_sizes(sized, limits, findings)


def _inspect_page(
    page: Page, number: int, library: Library, limits: Limits, findings: Findings
) -> Boxes | None:
    boxes = read_boxes(page, number, findings)
    if boxes is None:
        return None
    check_boxes(boxes, number, limits, findings)
    summary = _walk(page, library)
    for form in check_annotations(page.own, number, limits, findings, library.budget):
        summary.place(
            library.form(form, None), Placed(matrix_of(entry(form, "/Matrix"))), library.budget
        )
    check_page(summary, boxes, number, limits, findings)
    return boxes


def _walk(page: Page, library: Library) -> Summary:
    """What a page paints: its streams, read as one."""
    walker = Walker(page.own, page.entry("/Resources"), library, of_form=False)
    contents = entry(page.own, "/Contents")
    parts = [] if contents is None else [contents]
    streams = []
    for part in (
        items_of(contents, library.budget) if isinstance(contents, pikepdf.Array) else parts
    ):
        if not isinstance(part, pikepdf.Stream):
            walker.fault("a part of its contents is not a stream")
            continue
        try:
            streams.append(read_stream(part, library.budget))
        except Unreadable as error:
            walker.fault(str(error))
    return walker.walk(b"\n".join(streams))
