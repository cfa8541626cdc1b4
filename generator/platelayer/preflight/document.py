"""What a PDF contains besides pages: encryption, scripts, files, annotations, PDF/X keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pikepdf

from platelayer.model.profile import Limits
from platelayer.preflight.findings import Findings
from platelayer.preflight.objects import (
    Budget,
    entry,
    has_names,
    items_of,
    keys_of,
    length_of,
    name_of,
    number_of,
    unseen,
    words_of,
)
from platelayer.preflight.streams import Unreadable, read_stream

_HARMLESS = ("GoTo", "GoToR", "URI", "Named", "Thread", "SetOCGState", "")
_STEPS_A_NOTE, _STEPS_AN_ACTION = 30, 5
"""Cost of inspecting one."""
_MAX_PACKET = 4 * 2**20
"""Bytes of XMP."""


def check_document(pdf: pikepdf.Pdf, limits: Limits, findings: Findings, budget: Budget) -> None:
    """PF02, PF20 and PF21 for anything outside the pages."""
    root = pdf.Root
    if pdf.is_encrypted and "encryption" not in limits.allows:
        findings.add(
            "PF02",
            "the file is encrypted",
            hint="save it without a password and without restrictions",
        )
    if "scripts" not in limits.allows:
        for words in _scripts(root, budget):
            findings.add("PF21", f"{words}; a print does nothing", hint="save it as a plain PDF")
    if "files" not in limits.allows and (
        length_of(entry(root, "/AF")) > 0
        or has_names(entry(root, "/Names", "/EmbeddedFiles"), budget)
    ):
        findings.add("PF21", "it holds embedded files", hint="take the attachments out")
    if "layers" not in limits.allows and length_of(entry(root, "/OCProperties", "/OCGs")):
        findings.add("PF21", "it has layers", hint="flatten the layers")
    if limits.pdfx:
        _check_pdfx(pdf, limits, findings, budget)


def check_annotations(
    page: Any, number: int, limits: Limits, findings: Findings, budget: Budget
) -> list[Any]:
    """PF21 for the annotations of a page. Returns the appearances that are printed."""
    notes = list(items_of(entry(page, "/Annots"), budget))
    budget.spend_steps(_STEPS_A_NOTE * len(notes))
    kinds = sorted({name_of(entry(note, "/Subtype")) or "?" for note in notes})
    if notes and "annotations" not in limits.allows:
        count = f"{len(notes)} annotation{'s' * (len(notes) != 1)}"
        findings.add(
            "PF21",
            f"it has {count} ({', '.join(kinds)})",
            page=number,
            hint="flatten or remove them",
        )
    if "files" not in limits.allows and "FileAttachment" in kinds:
        findings.add("PF21", "a file is attached", page=number, hint="take the attachments out")
    if "scripts" not in limits.allows:
        holders = [page, *notes]
        for words in sorted({words for holder in holders for words in _actions_of(holder, budget)}):
            findings.add(
                "PF21", f"{words}; a print does nothing", page=number, hint="save it as a plain PDF"
            )
    return [form for note in notes for form in _appearances(note)]


def _appearances(note: Any) -> Iterator[Any]:
    hidden, printed = 2, 4
    flags = int(number_of(entry(note, "/F")))
    normal = entry(note, "/AP", "/N")
    if flags & hidden or not flags & printed:
        return
    if isinstance(normal, pikepdf.Stream):
        yield normal
    else:
        state = name_of(entry(note, "/AS"))
        form = entry(normal, f"/{state}") if state else None
        if isinstance(form, pikepdf.Stream):
            yield form


def _scripts(root: Any, budget: Budget) -> list[str]:
    actions = set(_actions_of(root, budget))
    if has_names(entry(root, "/Names", "/JavaScript"), budget):
        actions.add("it holds JavaScript")
    if entry(root, "/AcroForm", "/XFA") is not None:
        actions.add("it holds an XFA form")
    return sorted(actions)


def _actions_of(holder: Any, budget: Budget) -> Iterator[str]:
    """Actions on opening, showing or clicking something, and the actions that follow."""
    events = entry(holder, "/AA")
    waiting = [
        entry(holder, "/A"),
        entry(holder, "/OpenAction"),
        *(entry(events, key) for key in keys_of(events, budget)),
    ]
    seen = set[Any]()
    while waiting:
        action = waiting.pop()
        if action is None:
            continue
        budget.spend_steps(_STEPS_AN_ACTION)
        kind = name_of(entry(action, "/S"))
        if kind not in _HARMLESS:
            yield "it holds JavaScript" if kind == "JavaScript" else f"it holds an action ({kind})"
        following = entry(action, "/Next")
        waiting += unseen(
            items_of(following, budget) if isinstance(following, pikepdf.Array) else [following],
            seen,
        )


# PDF/X
# ----------------------------------------------------------------------------------------------------------------

_VERSIONS = {
    "PDF/X-1a:2001": ("PDF/X-1:2001", 1.3),
    "PDF/X-1a:2003": ("PDF/X-1a:2003", 1.4),
    "PDF/X-3:2003": ("PDF/X-3:2003", 1.4),
    "PDF/X-4": ("PDF/X-4", 1.6),
}
"""The version that each kind declares, and the newest PDF version it allows (ISO 15930-1, -4, -6,
-7)."""
_XMP = "PDF/X-4"
_PROFILE_HEAD = 40
"""Bytes of an ICC profile up to its signature; class and colour space come before it (ICC.1,
7.2)."""


def _check_pdfx(pdf: pikepdf.Pdf, limits: Limits, findings: Findings, budget: Budget) -> None:
    wanted = " or ".join(limits.pdfx)
    packet = _metadata(pdf, budget)
    kind = next((kind for kind in limits.pdfx if _says(pdf, packet, kind)), None)
    if kind is None:
        said = (
            words_of(entry(pdf.docinfo, "/GTS_PDFXVersion"))
            or _property(packet, "GTS_PDFXVersion")
            or "nothing"
        )
        findings.add(
            "PF20", f"it must be {wanted}; it says {said}", hint=f"export as {limits.pdfx[0]}"
        )
        kind = limits.pdfx[0]
    missing = [*_missing_information(pdf, packet, kind), *_missing_intent(pdf, kind, budget)]
    if missing:
        findings.add("PF20", f"{kind} needs {'; '.join(missing)}", hint=f"export as {kind}")


def _says(pdf: pikepdf.Pdf, packet: str, kind: str) -> bool:
    said = (
        _property(packet, "GTS_PDFXVersion")
        if kind == _XMP
        else words_of(entry(pdf.docinfo, "/GTS_PDFXVersion"))
    )
    return said == _VERSIONS[kind][0]


def _missing_information(pdf: pikepdf.Pdf, packet: str, kind: str) -> Iterator[str]:
    newest = _VERSIONS[kind][1]
    if _version(pdf) > newest:
        yield f"a PDF version up to {newest:g}; this is {_version(pdf):g}"
    info = pdf.docinfo
    pairs = [("/Title", "title"), ("/CreationDate", "CreateDate"), ("/ModDate", "ModifyDate")]
    for key, name in pairs:
        if not (_property(packet, name) if kind == _XMP else words_of(entry(info, key))):
            yield f"{f'{name} in its XMP' if kind == _XMP else f'{key[1:]} in its information'}"
    trapped = name_of(entry(info, "/Trapped")) or (
        _property(packet, "Trapped") if kind == _XMP else ""
    )
    if trapped not in ("True", "False"):
        yield "the key Trapped, true or false"
    if length_of(entry(pdf.trailer, "/ID")) != 2:
        yield "an ID in its trailer"
    if kind == _XMP and not _property(packet, "DocumentID"):
        yield "DocumentID in its XMP"


def _missing_intent(pdf: pikepdf.Pdf, kind: str, budget: Budget) -> Iterator[str]:
    intents = items_of(entry(pdf.Root, "/OutputIntents"), budget)
    intent = next(
        (intent for intent in intents if name_of(entry(intent, "/S")) == "GTS_PDFX"), None
    )
    if intent is None:
        yield "an output intent (GTS_PDFX)"
        return
    if not words_of(entry(intent, "/OutputConditionIdentifier")):
        yield "an OutputConditionIdentifier in its output intent"
    profile = entry(intent, "/DestOutputProfile")
    if profile is None and (kind == _XMP or not words_of(entry(intent, "/RegistryName"))):
        yield "an ICC profile in its output intent"
    if profile is not None and not _is_press_profile(profile, budget):
        yield "an output intent with the profile of a press (prtr)"


def _is_press_profile(profile: Any, budget: Budget) -> bool:
    try:
        data = read_stream(profile, budget)
    except (Unreadable, TypeError, ValueError):
        return False
    components = {b"CMYK": 4, b"GRAY": 1, b"RGB ": 3}.get(data[16:20])
    return (
        len(data) > _PROFILE_HEAD
        and data[12:16] == b"prtr"
        and data[36:40] == b"acsp"
        and components == int(number_of(entry(profile, "/N")))
    )


def _version(pdf: pikepdf.Pdf) -> float:
    said = name_of(entry(pdf.Root, "/Version"))
    words = [pdf.pdf_version, said]
    return max((float(word) for word in words if re.fullmatch(r"\d\.\d", word)), default=0.0)


def _metadata(pdf: pikepdf.Pdf, budget: Budget) -> str:
    try:
        return read_stream(entry(pdf.Root, "/Metadata"), budget, _MAX_PACKET).decode(
            "utf-8", "replace"
        )
    except Unreadable:
        return ""


def _property(packet: str, name: str) -> str:
    """A property of an XMP packet, written as an attribute or an element (of a list too); "" if it
    is missing. Every part of the expressions ends where the next can begin, so that no packet
    causes much backtracking."""
    element = rf"<[\w-]+:{name}(?:\s[^<>]*)?>\s*(?:<rdf:(?:Alt|Bag|Seq|li)\b[^<>]*>\s*){{0,4}}([^<\s][^<]*)<"
    match = re.search(rf"[\w-]:{name}\s*=\s*[\"']([^\"']+)[\"']", packet) or re.search(
        element, packet
    )
    return match[1].strip() if match else ""
