"""The bytes of any PDF in, and what it must keep to; every problem that a print shop would have with it out."""

from __future__ import annotations

import io
from typing import Any

import pikepdf

from platelayer.foundation.problems import Problem
from platelayer.model.profile import Limits
from platelayer.preflight.boxes import Boxes, check_boxes, check_sizes, read_boxes
from platelayer.preflight.document import check_annotations, check_document
from platelayer.preflight.findings import Findings
from platelayer.preflight.judge import check_page
from platelayer.preflight.library import Library
from platelayer.preflight.objects import BROKEN, IDENTITY, entry, inherited, items_of, name_of, plain_words
from platelayer.preflight.streams import Budget, TooMuch, Unreadable, packed_too_much, read_stream
from platelayer.preflight.summary import Placed, Summary
from platelayer.preflight.walk import Walker, walk_form

MAX_FILE_BYTES = 512 * 2**20
MAX_PAGES = 2000
_MAX_WARNINGS = 3
_ANEW = "write the file anew with the program that made it"


def inspect_pdf(data: bytes, name: str, limits: Limits) -> tuple[Problem, ...]:
    """Every problem of a PDF by the limits of a profile; `name` is what problems call the file.

    Codes PF01 to PF22 (`platelayer explain PF01`). Never raises for what the bytes hold: what cannot be read is a
    problem too. Looks at no more than 32 MB of content, 2000 pages and some millions of steps; more is PF05.
    """
    findings = Findings(name)
    pdf = _open(data, findings)
    if pdf is not None:
        with pdf:
            _inspect(pdf, limits, findings)
    return findings.problems()


def _open(data: bytes, findings: Findings) -> pikepdf.Pdf | None:
    if b"%PDF-" not in data[:1024]:
        words = "the file is empty" if not data else "this is not a PDF: it does not begin with %PDF-"
        findings.add("PF01", words, hint="name a PDF file")
        return None
    if len(data) > MAX_FILE_BYTES or packed_too_much(data):
        findings.add("PF05", "the file is too large to look at, or packs more than any print needs")
        return None
    try:
        return pikepdf.open(io.BytesIO(data), suppress_warnings=True)
    except pikepdf.PasswordError:
        findings.add("PF02", "the file is encrypted and opens only with a password", hint="save it without one")
    except BROKEN as stop:
        findings.add("PF01", f"the file is damaged beyond reading: {plain_words(stop)}", hint=_ANEW)
    return None


def _inspect(pdf: pikepdf.Pdf, limits: Limits, findings: Findings) -> None:
    budget = Budget()
    library = Library(budget, wants_quads=limits.page_is_piece and limits.safe_mm > 0)
    try:
        check_document(pdf, limits, findings, budget)
        _inspect_pages(pdf, library, limits, findings)
    except TooMuch as stop:
        findings.add("PF05", f"the check ended early: {stop}", hint="split the file, or simplify its drawings")
    except BROKEN as stop:
        findings.add("PF03", f"its structure is damaged: {plain_words(stop)}", hint=_ANEW)
    warnings = pdf.get_warnings()
    for warning in warnings[:_MAX_WARNINGS]:
        # The library gives pages without a MediaBox one of its own, so that it is never found missing later.
        findings.add(
            "PF06" if "MediaBox" in str(warning) else "PF03", f"it is damaged: {plain_words(warning)}", hint=_ANEW
        )
    if len(warnings) > _MAX_WARNINGS:
        findings.add("PF03", f"it is damaged in {len(warnings) - _MAX_WARNINGS} more places", hint=_ANEW)


def _inspect_pages(pdf: pikepdf.Pdf, library: Library, limits: Limits, findings: Findings) -> None:
    pages = [page.obj for page in pdf.pages]
    if not pages:
        findings.add("PF01", "the file has no pages", hint=_ANEW)
    if len(pages) > MAX_PAGES:
        findings.add("PF05", f"it has {len(pages)} pages; only the first {MAX_PAGES} are looked at")
    if limits.pages_in_pairs and len(pages) % 2:
        findings.add("PF08", f"it has {len(pages)} pages; back and front make pairs", hint="add the missing side")
    sized: list[tuple[int, Boxes]] = []
    for number, page in enumerate(pages[:MAX_PAGES], start=1):
        try:
            boxes = _inspect_page(page, number, library, limits, findings)
        except BROKEN as stop:
            findings.add("PF04", f"the page cannot be read: {plain_words(stop)}", page=number, hint=_ANEW)
            continue
        if boxes is not None:
            sized.append((number, boxes))
    check_sizes(sized, limits, findings)


def _inspect_page(page: Any, number: int, library: Library, limits: Limits, findings: Findings) -> Boxes | None:
    boxes = read_boxes(page, number, findings)
    if boxes is None:
        return None
    check_boxes(boxes, number, limits, findings)
    found = _summary(page, library)
    for form in check_annotations(page, number, limits, findings):
        appearance = walk_form(form, None, library)
        found.place(appearance, Placed(IDENTITY, None, None, None, None, None, ""), library.budget)
    check_page(found, boxes, number, limits, findings)
    return boxes


def _summary(page: Any, library: Library) -> Summary:
    walker = Walker(inherited(page, "/Resources"), library, of_form=False)
    if name_of(entry(page, "/Group", "/S")) == "Transparency":
        walker.summary.extras.add("a transparency group")
    contents = entry(page, "/Contents")
    parts = items_of(contents) or ([] if contents is None else [contents])
    streams = []
    for part in parts:
        if not isinstance(part, pikepdf.Stream):
            walker.summary.faults.add("a part of its contents is no stream")
            continue
        try:
            streams.append(read_stream(part, library.budget))
        except Unreadable as stop:
            walker.summary.faults.add(str(stop))
    return walker.walk(b"\n".join(streams))
