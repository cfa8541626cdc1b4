"""Values and streams of a PDF, whose contents are not trusted, read within a budget for the whole
file."""

from __future__ import annotations

import logging
import math
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from decimal import Decimal
from typing import Any

import pikepdf
from pikepdf.settings import set_qpdf_limits

from platelayer.foundation.geometry import IDENTITY, Matrix
from platelayer.model.options import Limits
from platelayer.preflight.findings import Findings

# Maximum decoded size of all streams of one file that a check reads; the pictures of the file have
# the same limit again.
MAX_STREAM_BYTES = 32 * 2**20
# Maximum number of objects that a check examines, in content streams and elsewhere. Each takes
# about a microsecond at most; slower operations count as several.
MAX_STEPS = 5_000_000

# A file of a few kilobytes may expand to millions of objects or gigabytes of picture. The library
# stops at these limits, which are far above the needs of a print. They apply to the whole process.
set_qpdf_limits(
    flate_max_memory=MAX_STREAM_BYTES,
    run_length_max_memory=MAX_STREAM_BYTES,
    png_max_memory=MAX_STREAM_BYTES,
    tiff_max_memory=MAX_STREAM_BYTES,
    max_stream_filters=8,
    parser_max_container_size=100_000,
)
# pikepdf also raises or warns of everything that it logs; without a handler Python would print the
# log.
logging.getLogger("pikepdf").addHandler(logging.NullHandler())


class TooMuch(Exception):
    """Raised if a file needs more memory or time than any print. The message says what there is too
    much of."""


class Unreadable(Exception):
    """Raised if a stream cannot be decoded. The message says why."""


class Budget:
    """The bytes and steps that the check of one file may still take."""

    def __init__(self) -> None:
        self.bytes, self.picture_bytes, self.steps = MAX_STREAM_BYTES, MAX_STREAM_BYTES, MAX_STEPS


# Budget of the file that is being checked.
budget = ContextVar[Budget]("budget")


@contextmanager
def within_budget() -> Iterator[None]:
    """Give everything that this thread reads within the block a separate budget."""
    before = budget.set(Budget())
    try:
        yield
    finally:
        budget.reset(before)


def spend(steps: int) -> None:
    """Count steps. Raises TooMuch if reading never ends, as with forms that place forms many times
    over."""
    left = budget.get()
    left.steps -= steps
    if left.steps < 0:
        raise TooMuch(f"checking it takes more than {MAX_STEPS / 1e6:g} million steps")


# Exceptions that pikepdf raises for objects of unexpected types.
BROKEN = (
    pikepdf.PdfError,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    IndexError,
    ArithmeticError,
    RuntimeError,
)

_HOLDERS = (pikepdf.Dictionary, pikepdf.Stream)
_IN_MEMORY = re.compile(r"(?:stream )?<_io\.BytesIO object[^>]*>[,:]?\s*")
# Maximum length of a name, for which ISO 32000-1, annex C allows 127 bytes, and of a title or
# similar text.
MAX_NAME, _MAX_WORDS = 255, 65536
# Maximum size of a Python number in bytes: about two thousand digits.
_MAX_NUMBER = 1000


def plain_words(error: object) -> str:
    """Return the first line of the library's message, without the varying name that it gives to
    bytes in memory."""
    words = str(error).strip().splitlines()
    return _IN_MEMORY.sub("", words[0] if words else type(error).__name__)[:200]


def entry(holder: Any, *keys: str) -> Any:
    """Return the value of a key in a dictionary or stream (and of a key in that value ...); None if
    there is none."""
    for key in keys:
        # Checking first is ten times as fast as `get`.
        if not isinstance(holder, _HOLDERS) or key not in holder:
            return None
        holder = _handy(holder[key])
    return holder


def items_of(value: Any) -> Iterator[Any]:
    """Yield the items of an array, each read and counted when requested; none for anything else."""
    for index in range(length_of(value)):
        spend(1)
        yield _handy(value[index])


def length_of(value: Any) -> int:
    """Return the number of items of an array; 0 for anything else."""
    return len(value) if isinstance(value, pikepdf.Array) else 0


def _handy(value: Any) -> Any:
    """Return the value itself. Raises TooMuch for a number with so many digits that every use takes
    long: objects may refer to the same one thousands of times."""
    if isinstance(value, Decimal) and sys.getsizeof(value) > _MAX_NUMBER:
        raise TooMuch("a number has thousands of digits")
    return value


def name_of(value: Any) -> str:
    """Return a name without its slash; "" for anything else. Raises TooMuch for names that take
    long to process."""
    return _limited(str(value)[1:], MAX_NAME, "name") if isinstance(value, pikepdf.Name) else ""


def words_of(value: Any) -> str:
    """Return a string as text; "" for anything else. Raises TooMuch for texts that take long to
    process."""
    return _limited(str(value), _MAX_WORDS, "text") if isinstance(value, pikepdf.String) else ""


def _limited(words: str, most: int, what: str) -> str:
    if len(words) > most:
        raise TooMuch(f"a {what} has more than {most} characters")
    return words


def number_of(value: Any, otherwise: float = 0.0) -> float:
    """Return a finite number; `otherwise` for anything else."""
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        number = float(value)
        return number if math.isfinite(number) else otherwise
    return otherwise


def numbers_of(value: Any, count: int) -> tuple[float, ...] | None:
    """Return an array of that many numbers; None for anything else."""
    if length_of(value) != count:
        return None
    numbers = tuple(number_of(_handy(value[index]), math.nan) for index in range(count))
    return None if any(map(math.isnan, numbers)) else numbers


def matrix_of(value: Any) -> Matrix:
    """Return a matrix of six numbers; the identity for anything else."""
    numbers = numbers_of(value, 6)
    if numbers is None:
        return IDENTITY
    a, b, c, d, e, f = numbers
    return a, b, c, d, e, f


def identity(value: Any) -> tuple[int, int] | None:
    """Return the identity of an object of a file; None for direct objects."""
    number = value.objgen if isinstance(value, pikepdf.Object) else (0, 0)
    return number if number != (0, 0) else None


def unseen(values: Iterable[Any], seen: set[Any]) -> Iterator[Any]:
    """Yield the objects that have not been seen before. Walks through trees therefore end, because
    each direct object is written only once."""
    for value in values:
        key = identity(value)
        if key is None or key not in seen:
            seen.add(key)
            yield value


def has_names(tree: Any) -> bool:
    """Return True for a name tree that contains anything."""
    return isinstance(tree, pikepdf.Dictionary) and any(True for _ in pikepdf.NameTree(tree))


# Streams.

_LONG_NAMES = {"Fl": "FlateDecode", "LZW": "LZWDecode", "A85": "ASCII85Decode"}
_LZW, _LETTERS = "LZWDecode", {"ASCII85Decode", "ASCIIHexDecode", "AHx"}
# The library does not limit LZW, which can expand to 1300 times its length.
_MAX_LZW = 2**18
# Cost in steps of finding a stream, and of one that cannot be decoded; and bytes per step.
_STEPS_A_STREAM, _STEPS_IN_VAIN, _BYTES_A_STEP = 10, 5000, 200
_TOO_LONG = f"its streams hold more than {MAX_STREAM_BYTES // 2**20} MB"


def read_stream(stream: Any, most: int = MAX_STREAM_BYTES) -> bytes:
    """Return the decoded bytes of a stream. Raises Unreadable; TooMuch if there are more than
    `most`, or more than the whole file may have."""
    data, left = decoded(stream), budget.get()
    left.bytes -= len(data)
    if len(data) > most:
        raise TooMuch(f"a stream holds more than {most // 2**20} MB")
    if left.bytes < 0:
        raise TooMuch(_TOO_LONG)
    return data


def decoded(stream: Any) -> bytes:
    """Return the decoded bytes of a stream without counting them among those of the file. Raises
    Unreadable, TooMuch."""
    filters = filters_of(stream)
    try:
        if _LZW in filters:
            rest = [name for name in filters if name not in _LETTERS]
            if rest != [_LZW] or len(stream.read_raw_bytes()) > _MAX_LZW:
                raise TooMuch(f"a stream holds more than {_MAX_LZW // 1024} KB of LZW")
        data = bytes(stream.read_bytes())
    except BROKEN as error:
        spend(_STEPS_IN_VAIN)
        if "memory limit" in str(error):
            raise TooMuch(_TOO_LONG) from error
        packing = " and ".join(filters)
        words = f"a stream cannot be decoded: it is not what {packing} packs"
        if "unfilterable" in str(error):
            words = f"a stream is packed with {packing}, which cannot be used for drawings"
        raise Unreadable(words) from error
    spend(_STEPS_A_STREAM + len(data) // _BYTES_A_STEP)
    return data


def filters_of(stream: Any) -> list[str]:
    """Return the names of a stream's filters, in order of decoding."""
    value = entry(stream, "/Filter")
    values = items_of(value) if isinstance(value, pikepdf.Array) else [value]
    return [_LONG_NAMES.get(name, name) for name in map(name_of, values) if name]


# Contents of a PDF besides pages: encryption, scripts, files, annotations, PDF/X keys.


# Flags of annotations (ISO 32000-1, table 165).
_HIDDEN, _PRINTED = 2, 4
_HARMLESS = ("GoTo", "GoToR", "URI", "Named", "Thread", "SetOCGState", "")
# Cost in steps of inspecting an annotation and an action.
_STEPS_A_NOTE, _STEPS_AN_ACTION = 30, 5
# Maximum size of the XMP metadata in bytes.
_MAX_PACKET = 4 * 2**20


def check_document(pdf: pikepdf.Pdf, limits: Limits, findings: Findings) -> None:
    """Report PF02, PF20 and PF21 for anything outside the pages."""
    root = pdf.Root
    if pdf.is_encrypted and "encryption" not in limits.allows:
        hint = "save it without a password and without restrictions"
        findings.add("PF02", "the file is encrypted", hint)
    if "scripts" not in limits.allows:
        actions = set(_actions_of(root))
        if has_names(entry(root, "/Names", "/JavaScript")):
            actions.add("it holds JavaScript")
        if entry(root, "/AcroForm", "/XFA") is not None:
            actions.add("it holds an XFA form")
        for words in actions:
            findings.add("PF21", f"{words}; a print does nothing", "save it as a plain PDF")
    if "files" not in limits.allows:
        attached = has_names(entry(root, "/Names", "/EmbeddedFiles"))
        if attached or length_of(entry(root, "/AF")):
            findings.add("PF21", "it holds embedded files", "take the attachments out")
    if "layers" not in limits.allows and length_of(entry(root, "/OCProperties", "/OCGs")):
        findings.add("PF21", "it has layers", "flatten the layers")
    if limits.pdfx:
        wanted = " or ".join(limits.pdfx)
        packet = ""
        with suppress(Unreadable):
            data = read_stream(entry(pdf.Root, "/Metadata"), _MAX_PACKET)
            packet = data.decode("utf-8", "replace")
        in_info = words_of(entry(pdf.docinfo, "/GTS_PDFXVersion"))
        in_xmp = _property(packet, "GTS_PDFXVersion")
        declared = [
            kind
            for kind in limits.pdfx
            if _VERSIONS[kind][0] == (in_xmp if kind == _XMP else in_info)
        ]
        kind = [*declared, *limits.pdfx][0]
        if not declared:
            message = f"it must be {wanted}; it says {in_info or in_xmp or 'nothing'}"
            findings.add("PF20", message, f"export as {kind}")
        missing = [*_missing_information(pdf, packet, kind), *_missing_intent(pdf, kind)]
        if missing:
            findings.add("PF20", f"{kind} needs {'; '.join(missing)}", f"export as {kind}")


def check_annotations(page: Any, limits: Limits, findings: Findings) -> list[Any]:
    """Report PF21 for the annotations of a page. Return the appearances that are printed."""
    notes = list(items_of(entry(page, "/Annots")))
    spend(_STEPS_A_NOTE * len(notes))
    kinds = sorted({name_of(entry(note, "/Subtype")) or "?" for note in notes})
    if notes and "annotations" not in limits.allows:
        count = f"{len(notes)} annotation{'s' * (len(notes) != 1)}"
        message = f"it has {count} ({', '.join(kinds)})"
        findings.add("PF21", message, "flatten or remove them")
    if "files" not in limits.allows and "FileAttachment" in kinds:
        findings.add("PF21", "a file is attached", "take the attachments out")
    if "scripts" not in limits.allows:
        for words in {words for holder in (page, *notes) for words in _actions_of(holder)}:
            message = f"{words}; a print does nothing"
            findings.add("PF21", message, "save it as a plain PDF")
    appearances = []
    for note in notes:
        flags = int(number_of(entry(note, "/F")))
        form = entry(note, "/AP", "/N")
        if flags & _HIDDEN or not flags & _PRINTED:
            continue
        if not isinstance(form, pikepdf.Stream):
            # There is one form for each state; the annotation names its current state.
            state = name_of(entry(note, "/AS"))
            form = entry(form, f"/{state}") if state else None
        if isinstance(form, pikepdf.Stream):
            appearances.append(form)
    return appearances


def _actions_of(holder: Any) -> Iterator[str]:
    """Yield actions on opening, showing or clicking something, and the actions that follow."""
    events = entry(holder, "/AA")
    keys = events.keys() if isinstance(events, pikepdf.Dictionary) else ()
    waiting = [entry(holder, "/A"), entry(holder, "/OpenAction"), *(entry(events, k) for k in keys)]
    seen = set[Any]()
    while waiting:
        action = waiting.pop()
        spend(_STEPS_AN_ACTION)
        kind = name_of(entry(action, "/S"))
        if kind not in _HARMLESS:
            yield "it holds JavaScript" if kind == "JavaScript" else f"it holds an action ({kind})"
        following = entry(action, "/Next")
        if following is not None:
            chained = items_of(following) if length_of(following) else [following]
            waiting += unseen(chained, seen)


# PDF/X.

# The version that each standard declares, and the newest PDF version that it allows (ISO 15930-1,
# -4, -6, -7).
_VERSIONS = {
    "PDF/X-1a:2001": ("PDF/X-1:2001", 1.3),
    "PDF/X-1a:2003": ("PDF/X-1a:2003", 1.4),
    "PDF/X-3:2003": ("PDF/X-3:2003", 1.4),
    "PDF/X-4": ("PDF/X-4", 1.6),
}
_XMP = "PDF/X-4"
# Length of the start of an ICC profile up to its signature, which includes class and colour space
# (ICC.1, 7.2).
_PROFILE_HEAD = 40


def _missing_information(pdf: pikepdf.Pdf, packet: str, kind: str) -> Iterator[str]:
    newest, info = _VERSIONS[kind][1], pdf.docinfo
    versions = (pdf.pdf_version, name_of(entry(pdf.Root, "/Version")))
    numbers = [float(word) for word in versions if re.fullmatch(r"\d\.\d", word)]
    version = max(numbers, default=0.0)
    if version > newest:
        yield f"a PDF version up to {newest:g}; this is {version:g}"
    pairs = [("/Title", "title"), ("/CreationDate", "CreateDate"), ("/ModDate", "ModifyDate")]
    for key, name in pairs:
        if kind == _XMP and not _property(packet, name):
            yield f"{name} in its XMP"
        elif kind != _XMP and not words_of(entry(info, key)):
            yield f"{key[1:]} in its information"
    trapped = name_of(entry(info, "/Trapped"))
    if not trapped and kind == _XMP:
        trapped = _property(packet, "Trapped")
    if trapped not in ("True", "False"):
        yield "the key Trapped, true or false"
    if length_of(entry(pdf.trailer, "/ID")) != 2:
        yield "an ID in its trailer"
    if kind == _XMP and not _property(packet, "DocumentID"):
        yield "DocumentID in its XMP"


def _missing_intent(pdf: pikepdf.Pdf, kind: str) -> Iterator[str]:
    intents = items_of(entry(pdf.Root, "/OutputIntents"))
    of_pdfx = (intent for intent in intents if name_of(entry(intent, "/S")) == "GTS_PDFX")
    intent = next(of_pdfx, None)
    if intent is None:
        yield "an output intent (GTS_PDFX)"
        return
    if not words_of(entry(intent, "/OutputConditionIdentifier")):
        yield "an OutputConditionIdentifier in its output intent"
    profile = entry(intent, "/DestOutputProfile")
    if profile is None and (kind == _XMP or not words_of(entry(intent, "/RegistryName"))):
        yield "an ICC profile in its output intent"
    if profile is not None and not _is_press_profile(profile):
        yield "an output intent with the profile of a press (prtr)"


def _is_press_profile(profile: Any) -> bool:
    try:
        data = read_stream(profile)
    except (Unreadable, TypeError, ValueError):
        return False
    components = {b"CMYK": 4, b"GRAY": 1, b"RGB ": 3}.get(data[16:20])
    is_of_press = data[12:16] == b"prtr" and data[36:40] == b"acsp"
    has_its_inks = components == int(number_of(entry(profile, "/N")))
    return len(data) > _PROFILE_HEAD and is_of_press and has_its_inks


def _property(packet: str, name: str) -> str:
    """Return a property of an XMP packet, written as an attribute or an element (even of a list);
    "" if it is missing. Every part of the expressions ends where the next can begin, so that no
    packet causes much backtracking."""
    element = rf"<[\w-]+:{name}(?:\s[^<>]*)?>\s*(?:<rdf:(?:Alt|Bag|Seq|li)\b[^<>]*>\s*){{0,4}}([^<\s][^<]*)<"
    match = re.search(rf"[\w-]:{name}\s*=\s*[\"']([^\"']+)[\"']", packet) or re.search(
        element, packet
    )
    return match[1].strip() if match else ""
