"""Values from PDF objects, which may be anything, within a budget for the whole file."""

from __future__ import annotations

import base64
import math
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from decimal import Decimal
from itertools import islice, zip_longest
from typing import Any

import pikepdf

from platelayer.foundation.geometry import IDENTITY, Matrix
from platelayer.model.profile import Limits
from platelayer.preflight.findings import Findings

# Decoded content of all streams of one file that a check reads; the same again for its pictures.
MAX_STREAM_BYTES = 32 * 2**20
# Operations in one file, and transfers from forms to their placements. None takes more than a
# microsecond or so; longer ones count as several.
MAX_STEPS = 3_000_000


class TooMuch(Exception):
    """A file needs more memory or time than any print. The message says of what there is too
    much."""


class Budget:
    """The bytes and steps that the check of one file may still take."""

    def __init__(self) -> None:
        self.bytes, self.picture_bytes, self.steps = MAX_STREAM_BYTES, MAX_STREAM_BYTES, MAX_STEPS

    def spend_bytes(self, count: int) -> None:
        """Raises TooMuch when the file's streams are longer than all prints we know of."""
        self.bytes -= count
        if self.bytes < 0:
            self.bytes = 0
            raise TooMuch(f"its streams hold more than {MAX_STREAM_BYTES // 2**20} MB")

    def spend_steps(self, count: int) -> None:
        """Raises TooMuch if drawing never ends, as with forms that place forms many times over."""
        self.steps -= count
        if self.steps < 0:
            raise TooMuch(f"checking it takes more than {MAX_STEPS / 1e6:g} million steps")


# Values.

# Exceptions that pikepdf raises for objects of an unexpected type.
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
# The most characters of a name, which may have 127 bytes (ISO 32000-1, annex C), and of a title or
# similar text.
MAX_NAME, _MAX_WORDS = 255, 65536
# Size of a Python number in bytes: about two thousand digits.
_MAX_NUMBER = 1000


def plain_words(error: object) -> str:
    """The first line of the library's message, without the varying name that it gives to bytes in
    memory."""
    words = str(error).strip().splitlines()
    return _IN_MEMORY.sub("", words[0] if words else type(error).__name__)[:200]


def entry(holder: Any, *keys: str) -> Any:
    """The value of a key in a dictionary or stream (and of a key in that value ...); None if there
    is none."""
    for key in keys:
        # Checking first is ten times as fast as `get`.
        if not isinstance(holder, _HOLDERS) or key not in holder:
            return None
        holder = holder[key]
    return _handy(holder) if isinstance(holder, Decimal) else holder


def keys_of(holder: Any, budget: Budget) -> list[str]:
    """The keys of a dictionary; none for anything else."""
    if not isinstance(holder, _HOLDERS):
        return []
    keys = sorted(holder.keys())
    budget.spend_steps(len(keys))
    return keys


def items_of(value: Any, budget: Budget) -> Iterator[Any]:
    """The items of an array, each read and counted when it is asked for; none for anything else."""
    for index in range(length_of(value)):
        budget.spend_steps(1)
        yield _handy(value[index])


def length_of(value: Any) -> int:
    """Number of items of an array; 0 for anything else."""
    return len(value) if isinstance(value, pikepdf.Array) else 0


def _handy(value: Any) -> Any:
    """The value itself. Raises TooMuch for a number with so many digits that every use takes long:
    objects may refer to the same one thousands of times."""
    if isinstance(value, Decimal) and sys.getsizeof(value) > _MAX_NUMBER:
        raise TooMuch("a number has thousands of digits")
    return value


def name_of(value: Any) -> str:
    """A name without its slash; "" for anything else. Raises TooMuch for names that take long to
    process."""
    return _limited(str(value)[1:], MAX_NAME, "name") if isinstance(value, pikepdf.Name) else ""


def words_of(value: Any) -> str:
    """A string as text; "" for anything else. Raises TooMuch for texts that take long to
    process."""
    return _limited(str(value), _MAX_WORDS, "text") if isinstance(value, pikepdf.String) else ""


def _limited(words: str, most: int, what: str) -> str:
    if len(words) > most:
        raise TooMuch(f"a {what} has more than {most} characters")
    return words


def number_of(value: Any, otherwise: float = 0.0) -> float:
    """A number that is finite; `otherwise` for anything else."""
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            return otherwise
        return number if math.isfinite(number) else otherwise
    return otherwise


def numbers_of(value: Any, count: int) -> tuple[float, ...] | None:
    """An array with this many numbers; None for anything else."""
    if length_of(value) != count:
        return None
    numbers = tuple(number_of(_handy(value[index]), math.nan) for index in range(count))
    return None if any(map(math.isnan, numbers)) else numbers


def matrix_of(value: Any) -> Matrix:
    """A matrix of six numbers; the identity for anything else."""
    numbers = numbers_of(value, 6)
    if numbers is None:
        return IDENTITY
    a, b, c, d, e, f = numbers
    return a, b, c, d, e, f


def identity(value: Any) -> tuple[int, int] | None:
    """The identity of an object of a file; None for direct objects."""
    try:
        number = value.objgen if isinstance(value, pikepdf.Object) else (0, 0)
    except BROKEN:
        return None
    return number if number != (0, 0) else None


def unseen(values: Iterable[Any], seen: set[Any]) -> Iterator[Any]:
    """Yield the objects that have not been seen before. Walks through trees therefore end, because
    each direct object is written only once."""
    for value in values:
        key = identity(value)
        if key is None or key not in seen:
            seen.add(key)
            yield value


def has_names(tree: Any, budget: Budget) -> bool:
    """True for a name tree that contains anything. It may not be a tree at all: kids can be their
    own ancestors."""
    waiting, seen = [tree], set[Any]()
    while waiting:
        node = waiting.pop()
        if length_of(entry(node, "/Names")):
            return True
        waiting += unseen(items_of(entry(node, "/Kids"), budget), seen)
    return False


# The bytes that a PDF packs, unpacked within a budget: its streams, and the objects that the
# library would unpack.


class Unreadable(Exception):
    """A stream cannot be decoded. The message says why."""


_LONG_NAMES = {"Fl": "FlateDecode", "LZW": "LZWDecode", "RL": "RunLengthDecode"}
_MOST_FILTERS = 8
# Cost of finding a stream, and of copying it.
_STEPS_A_STREAM, _COPIED_A_STEP = 10, 2000


def read_stream(stream: Any, budget: Budget, most: int | None = None) -> bytes:
    """The decoded bytes of a stream. Raises Unreadable; TooMuch if they are more than `most`, or
    than the whole file may have."""
    data = _decoded(stream, budget.bytes if most is None else min(most, budget.bytes), budget)
    if most is not None and len(data) > most:
        raise TooMuch(f"a stream holds more than {most // 2**20} MB")
    budget.spend_bytes(len(data))
    return data


def read_picture(stream: Any, size: int, budget: Budget) -> bytes | None:
    """The bytes of a picture of this size; None if it has more, or if all pictures of the file
    together exceed the budget of a check. Raises Unreadable, TooMuch."""
    if size > budget.picture_bytes:
        return None
    data = _decoded(stream, size, budget)
    budget.picture_bytes -= size
    return data if len(data) <= size else None


def filters_of(stream: Any, budget: Budget) -> list[str]:
    """The names of the filters that a stream went through, in order of decoding."""
    names = map(name_of, _one_or_more(entry(stream, "/Filter"), budget))
    return [_LONG_NAMES.get(name, name) for name in names]


def _one_or_more(value: Any, budget: Budget) -> list[Any]:
    if isinstance(value, pikepdf.Array):
        return list(islice(items_of(value, budget), _MOST_FILTERS + 1))
    return [] if value is None else [value]


def _decoded(stream: Any, most: int, budget: Budget) -> bytes:
    """The decoded bytes; if they are more than `most`, more than `most` of them."""
    names = filters_of(stream, budget)
    if len(names) > _MOST_FILTERS:
        raise Unreadable(f"a stream went through more than {_MOST_FILTERS} filters")
    try:
        data = bytes(stream.read_raw_bytes())
    except BROKEN as error:
        raise Unreadable(f"a stream cannot be read: {plain_words(error)}") from error
    budget.spend_steps(_STEPS_A_STREAM + len(data) // _COPIED_A_STEP)
    holders = _one_or_more(entry(stream, "/DecodeParms"), budget)
    for name, holder in zip_longest(names, holders[: len(names)]):
        values = {key: entry(holder, key) for key in _PARAMETERS}
        parameters = {
            key: int(number_of(value)) for key, value in values.items() if value is not None
        }
        data = _filtered(name, data, parameters, most, budget)
    return data


# Filters.

# The whole numbers under DecodeParms, by key.
_Parameters = Mapping[str, int]

_PARAMETERS = ("/Predictor", "/Colors", "/BitsPerComponent", "/Columns", "/EarlyChange")
# No picture is wider.
_MAX_ROW_BYTES = 2**20
_SPACE = b"\0\t\n\f\r "
_CLEAR, _END, _MOST_CODES = 256, 257, 4096


def _filtered(name: str, data: bytes, parameters: _Parameters, most: int, budget: Budget) -> bytes:
    """The output of one filter; if that is more than `most` bytes, more than `most` of them. Raises
    Unreadable, TooMuch."""
    if name not in _DECODERS:
        raise Unreadable(
            f"a stream is packed with {name or 'a filter without a name'}, which cannot be used for drawings"
        )
    decode, bytes_a_step = _DECODERS[name]
    budget.spend_steps(1 + len(data) // bytes_a_step)
    try:
        if parameters.get("/Predictor", 1) > 1:
            return _without_differences(name, data, parameters, most)
        return decode(data, parameters, most)
    except (*BROKEN, zlib.error) as error:
        raise Unreadable(f"a stream cannot be decoded: it is not what {name} packs") from error


def _inflate(data: bytes, _parameters: _Parameters, most: int) -> bytes:
    unpack = zlib.decompressobj()
    plain = unpack.decompress(data, most + 1)
    if data and not unpack.eof and len(plain) <= most:
        raise Unreadable("a stream ends too early")
    return plain


def _lzw(data: bytes, parameters: _Parameters, most: int) -> bytes:
    out = bytearray()
    table = [bytes([letter]) for letter in range(256)] + [b"", b""]
    early, width, before = int(parameters.get("/EarlyChange", 1) != 0), 9, b""
    held = bits = 0
    for byte in data:
        held, bits = held << 8 | byte, bits + 8
        if bits < width:
            continue
        bits -= width
        code, held = held >> bits, held & (1 << bits) - 1
        if code == _END or len(out) > most:
            break
        if code == _CLEAR:
            del table[_END + 1 :]
            width, before = 9, b""
            continue
        word = table[code] if code < len(table) else before + before[:1]
        if not word or code > len(table):
            raise ValueError(code)
        out += word
        if before and len(table) < _MOST_CODES:
            table.append(before + word[:1])
        width, before = min((len(table) + early).bit_length(), 12), word
    return bytes(out)


def _without_differences(name: str, data: bytes, parameters: _Parameters, most: int) -> bytes:
    """Data packed as differences from row to row (a predictor). The library decodes that faster
    than Python can, once the size of its output is known: each row, and a byte that says how it was
    packed."""
    bits = parameters.get("/Colors", 1) * parameters.get("/BitsPerComponent", 8)
    row_bytes = bits * parameters.get("/Columns", 1) // 8
    if row_bytes > _MAX_ROW_BYTES:
        raise Unreadable("a stream is packed in rows longer than any picture is wide")
    most += most // max(row_bytes, 1)
    plain = _DECODERS[name][0](data, parameters, most)
    if len(plain) > most:
        return plain
    stream = pikepdf.Stream(pikepdf.new(), data)
    stream.Filter = pikepdf.Name(f"/{name}")
    stream.DecodeParms = pikepdf.Dictionary(dict(parameters))
    return bytes(stream.read_bytes())


def _run_lengths(data: bytes, _parameters: _Parameters, most: int) -> bytes:
    out, at = bytearray(), 0
    while at < len(data) and data[at] != 128 and len(out) <= most:
        if data[at] < 128:
            out += data[at + 1 : at + data[at] + 2]
            at += data[at] + 2
        else:
            out += data[at + 1 : at + 2] * (257 - data[at])
            at += 2
    return bytes(out)


def _hexadecimal(data: bytes, _parameters: _Parameters, _most: int) -> bytes:
    digits = data.partition(b">")[0].translate(None, _SPACE).decode("ascii")
    return bytes.fromhex(digits + "0" * (len(digits) % 2))


def _base_85(data: bytes, _parameters: _Parameters, _most: int) -> bytes:
    return base64.a85decode(data.partition(b"~>")[0], ignorechars=_SPACE)


# The decoder of each filter, and how many bytes take it a microsecond or so (ISO 32000-1, 7.4).
_DECODERS: dict[str, tuple[Callable[[bytes, _Parameters, int], bytes], int]] = {
    "FlateDecode": (_inflate, 2000),
    "LZWDecode": (_lzw, 2),
    "RunLengthDecode": (_run_lengths, 4),
    "ASCIIHexDecode": (_hexadecimal, 100),
    "ASCII85Decode": (_base_85, 2),
}


# Packed objects.

# Object streams and cross-reference streams (ISO 32000-1, 7.5.7 and 7.5.8) contain what would
# otherwise be unpacked. A file of some thousand bytes may so hold millions of objects, each of
# which takes the library a hundred bytes and more.

# The most that a file may unpack: bytes of objects, and multiples of its own size.
_LEAST_BYTES, _TIMES_THE_FILE = 2**20, 2
# Bytes before a stream in which its dictionary is sought. Those that count are a hundred bytes
# long.
_WINDOW = 2**14
_CHUNK = 2**16
_SOUGHT_A_STEP = 16

_REGULAR = rb"[^\s\0()<>\[\]{}/%]"
# Without one of these keys, W of cross-reference streams and First of object streams, there are
# none.
_KEY = re.compile(
    rb"/(?:(?:W|#57)(?:[\s\0]*[\[%]|[\s\0]+\d)|(?:F|#46)(?:i|#69)(?:r|#72)(?:s|#73)(?:t|#74)(?!"
    + _REGULAR
    + rb"))"
)
_STREAM = re.compile(rb"(?<=[>\s\0])stream(?!" + _REGULAR + rb")[\s\0]*")
_TOKEN = re.compile(
    rb"[\s\0]+|%[^\r\n]*|/" + _REGULAR + rb"*|[-+.0-9]+|<<|>>|<[0-9A-Fa-f\s\0]*>|[\[\]]"
    rb"|(?:true|false|null|R)(?!" + _REGULAR + rb")|\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)",
    re.DOTALL,
)
_NAME = re.compile(rb"/" + _REGULAR + rb"*")
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_FILTER = re.compile(rb"/Filter (?:/FlateDecode|\[ /FlateDecode \]) (?=[/>])")
_PREDICTION = re.compile(rb"/DecodeParms (?:\[ )?<< (?:/[A-Z][A-Za-z]* \d{1,4} )*>> (?=[/>\]])")
_LENGTH = re.compile(rb"/Length (\d{1,10}) (?!\d+ R )")


class Unmeasured(Exception):
    """The unpacked size of a file is unknown: it is encrypted, damaged, or packed as no program
    packs it."""


def check_packed(data: bytes, budget: Budget) -> None:
    """Raises TooMuch for a file that packs more objects than any print needs, Unmeasured if that is
    unknown."""
    if not _KEY.search(data):
        return
    most = left = _LEAST_BYTES + _TIMES_THE_FILE * len(data)
    for start, words in _packed_objects(data, budget):
        left -= _size(data, start, words, left)
        if left < 0:
            raise TooMuch(f"it packs objects of more than {most / 2**20:.0f} MB")


def _packed_objects(data: bytes, budget: Budget) -> Iterator[tuple[int, bytes]]:
    """The start of the data of each stream that holds objects, and the words of its dictionary,
    each with a space behind it. Raises TooMuch; Unmeasured if it is unknown whether a dictionary is
    such a one."""
    for begin in _STREAM.finditer(data):
        before = data[max(begin.start() - _WINDOW, 0) : begin.start()]
        head, _, dictionary = before.rpartition(b"obj")
        line = head[max(head.rfind(b"\n"), head.rfind(b"\r")) + 1 :]
        tokens = _TOKEN.findall(dictionary)
        is_whole = b"".join(tokens) == dictionary and tokens.count(b"<<") == tokens.count(b">>")
        sure = head and b"%" not in line and is_whole
        if not sure:
            tokens = _NAME.findall(before)
        budget.spend_steps(1 + len(dictionary if sure else before) // _SOUGHT_A_STEP)
        words = [
            _ESCAPED.sub(lambda escaped: bytes.fromhex(escaped[1].decode()), token)
            for token in tokens
            if token[:1] not in b"%(\0" and not token.isspace()
        ]
        if b"/W" in words or (b"/First" in words and b"/N" in words):
            if not sure:
                raise Unmeasured
            yield begin.end(), b" ".join([*words, b""])


def _size(data: bytes, start: int, words: bytes, most: int) -> int:
    """The number of bytes that a stream unpacks into, or more than `most`. Raises Unmeasured."""
    if b"/Filter " not in words:
        end = data.find(b"endstream", start)
        return max((end if end >= 0 else len(data)) - start, *map(int, _LENGTH.findall(words)), 0)
    for key, value in ((b"/Filter ", _FILTER), (b"/DecodeParms ", _PREDICTION)):
        if words.count(key) != len(value.findall(words)):
            raise Unmeasured
    unpack, size = zlib.decompressobj(), 0
    try:
        while not unpack.eof and start < len(data) and size <= most:
            size += len(unpack.decompress(data[start : start + _CHUNK], most - size + 1))
            start += _CHUNK
    except zlib.error:
        if not size:
            raise Unmeasured from None
    return size


# What a PDF contains besides pages: encryption, scripts, files, annotations, PDF/X keys.


# Flags of annotations (ISO 32000-1, table 165).
_HIDDEN, _PRINTED = 2, 4
_HARMLESS = ("GoTo", "GoToR", "URI", "Named", "Thread", "SetOCGState", "")
# Cost of inspecting an annotation and an action.
_STEPS_A_NOTE, _STEPS_AN_ACTION = 30, 5
# Bytes of XMP.
_MAX_PACKET = 4 * 2**20


def check_document(pdf: pikepdf.Pdf, limits: Limits, findings: Findings, budget: Budget) -> None:
    """PF02, PF20 and PF21 for anything outside the pages."""
    root = pdf.Root
    if pdf.is_encrypted and "encryption" not in limits.allows:
        hint = "save it without a password and without restrictions"
        findings.add("PF02", "the file is encrypted", hint=hint)
    if "scripts" not in limits.allows:
        actions = set(_actions_of(root, budget))
        if has_names(entry(root, "/Names", "/JavaScript"), budget):
            actions.add("it holds JavaScript")
        if entry(root, "/AcroForm", "/XFA") is not None:
            actions.add("it holds an XFA form")
        for words in actions:
            findings.add("PF21", f"{words}; a print does nothing", hint="save it as a plain PDF")
    if "files" not in limits.allows:
        attached = has_names(entry(root, "/Names", "/EmbeddedFiles"), budget)
        if attached or length_of(entry(root, "/AF")):
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
        message = f"it has {count} ({', '.join(kinds)})"
        findings.add("PF21", message, page=number, hint="flatten or remove them")
    if "files" not in limits.allows and "FileAttachment" in kinds:
        findings.add("PF21", "a file is attached", page=number, hint="take the attachments out")
    if "scripts" not in limits.allows:
        for words in {words for holder in (page, *notes) for words in _actions_of(holder, budget)}:
            message = f"{words}; a print does nothing"
            findings.add("PF21", message, page=number, hint="save it as a plain PDF")
    appearances = []
    for note in notes:
        flags = int(number_of(entry(note, "/F")))
        form = entry(note, "/AP", "/N")
        if flags & _HIDDEN or not flags & _PRINTED:
            continue
        if not isinstance(form, pikepdf.Stream):
            # One form for each state; the note says which it is in.
            state = name_of(entry(note, "/AS"))
            form = entry(form, f"/{state}") if state else None
        if isinstance(form, pikepdf.Stream):
            appearances.append(form)
    return appearances


def _actions_of(holder: Any, budget: Budget) -> Iterator[str]:
    """Actions on opening, showing or clicking something, and the actions that follow."""
    events = entry(holder, "/AA")
    waiting = [entry(holder, "/A"), entry(holder, "/OpenAction")]
    waiting += (entry(events, key) for key in keys_of(events, budget))
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
        if isinstance(following, pikepdf.Array):
            waiting += unseen(items_of(following, budget), seen)
        else:
            waiting += unseen([following], seen)


# PDF/X.

# The version that each kind declares, and the newest PDF version it allows (ISO 15930-1, -4, -6,
# -7).
_VERSIONS = {
    "PDF/X-1a:2001": ("PDF/X-1:2001", 1.3),
    "PDF/X-1a:2003": ("PDF/X-1a:2003", 1.4),
    "PDF/X-3:2003": ("PDF/X-3:2003", 1.4),
    "PDF/X-4": ("PDF/X-4", 1.6),
}
_XMP = "PDF/X-4"
# Bytes of an ICC profile up to its signature; class and colour space come before it (ICC.1, 7.2).
_PROFILE_HEAD = 40


def _check_pdfx(pdf: pikepdf.Pdf, limits: Limits, findings: Findings, budget: Budget) -> None:
    wanted = " or ".join(limits.pdfx)
    packet = ""
    with suppress(Unreadable):
        data = read_stream(entry(pdf.Root, "/Metadata"), budget, _MAX_PACKET)
        packet = data.decode("utf-8", "replace")
    in_info = words_of(entry(pdf.docinfo, "/GTS_PDFXVersion"))
    in_xmp = _property(packet, "GTS_PDFXVersion")
    declared = [
        kind for kind in limits.pdfx if _VERSIONS[kind][0] == (in_xmp if kind == _XMP else in_info)
    ]
    kind = [*declared, *limits.pdfx][0]
    if not declared:
        message = f"it must be {wanted}; it says {in_info or in_xmp or 'nothing'}"
        findings.add("PF20", message, hint=f"export as {kind}")
    missing = [*_missing_information(pdf, packet, kind), *_missing_intent(pdf, kind, budget)]
    if missing:
        findings.add("PF20", f"{kind} needs {'; '.join(missing)}", hint=f"export as {kind}")


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


def _missing_intent(pdf: pikepdf.Pdf, kind: str, budget: Budget) -> Iterator[str]:
    intents = items_of(entry(pdf.Root, "/OutputIntents"), budget)
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
    if profile is not None and not _is_press_profile(profile, budget):
        yield "an output intent with the profile of a press (prtr)"


def _is_press_profile(profile: Any, budget: Budget) -> bool:
    try:
        data = read_stream(profile, budget)
    except (Unreadable, TypeError, ValueError):
        return False
    components = {b"CMYK": 4, b"GRAY": 1, b"RGB ": 3}.get(data[16:20])
    is_of_press = data[12:16] == b"prtr" and data[36:40] == b"acsp"
    has_its_inks = components == int(number_of(entry(profile, "/N")))
    return len(data) > _PROFILE_HEAD and is_of_press and has_its_inks


def _property(packet: str, name: str) -> str:
    """A property of an XMP packet, written as an attribute or an element (of a list too); "" if it
    is missing. Every part of the expressions ends where the next can begin, so that no packet
    causes much backtracking."""
    element = rf"<[\w-]+:{name}(?:\s[^<>]*)?>\s*(?:<rdf:(?:Alt|Bag|Seq|li)\b[^<>]*>\s*){{0,4}}([^<\s][^<]*)<"
    match = re.search(rf"[\w-]:{name}\s*=\s*[\"']([^\"']+)[\"']", packet) or re.search(
        element, packet
    )
    return match[1].strip() if match else ""
