"""Comparisons of two definitions: facts in the game's words, and the pieces to reprint."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import asdict, replace

from platelayer.comparison.facts import ADDED, MISSING, Fact, compare_definitions
from platelayer.comparison.wording import (
    ASPECTS,
    GROUPS,
    aspect_of,
    group_of,
    named,
    phrase,
    said,
    stated,
)
from platelayer.foundation.door import is_safe_path, real, unpack
from platelayer.foundation.languages import Tongue
from platelayer.foundation.problems import CannotRun, Place, join_pointer, step
from platelayer.foundation.text import listed, printable, suggestion
from platelayer.foundation.values import Frozen, Json
from platelayer.model.title import Title
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import Reference, find, language_notes
from platelayer.pipeline.registry import function

if TYPE_CHECKING:
    from platelayer.comparison.pieces import ChangedPiece
    from platelayer.definitions.titles import Loaded


FORMAT = "platelayer.comparison/1"
# Maximum number of facts of one side that are named as examples.
_MOST_EXAMPLES = 4
_MOST_BYTES, _MOST_FILES = 16 * 1024 * 1024, 400


class Change(Frozen, kw_only=True):
    """One difference.

    `group` and `aspect` (game, words, print, sources) classify it. `kind` is "changed", "added",
    "removed", "renamed" or "reordered". `sentence` describes it, and `subject` is the part of the
    sentence that names what changed. The pointers lead into the assembled titles; the values are as
    written there (None if there is none).
    """

    group: str
    aspect: str
    what: str
    subject: str
    text: str
    pointer: str
    was_pointer: str
    before: Any = None
    after: Any = None
    place: Place | None = None
    was_place: Place | None = None

    @property
    def as_json(self) -> Json:
        """Return the change as JSON."""
        value = asdict(self)
        for name in ("place", "was_place"):
            if (place := value.pop(name)) is not None:
                value[name] = {"file": place.file, "line": place.line, "column": place.column}
        return value


class OneSided(Frozen, kw_only=True):
    """Facts of one definition that the other's format cannot express: whether that definition is
    the later one, the keys (with * for ids), the subject, and each statement."""

    later: bool
    keys: str
    aspect: str
    statements: tuple[str, ...]

    def text(self, tongue: Tongue) -> str:
        """Return the first statements and the number of the remaining ones."""
        more = len(self.statements) - _MOST_EXAMPLES
        told = phrase(tongue, "parts").join(self.statements[:_MOST_EXAMPLES])
        return phrase(tongue, "and_more", told, more) if more > 0 else told


class Comparison(Frozen, kw_only=True):
    """Two definitions side by side.

    `names` are their names as given, `titles` their ids. `changes` lists all differences; if only
    common fields were compared, `one_sided` lists the others. `pieces` is None unless requested.
    `is_foreign` is true if either comes from another program. `unasked` is the number of changes in
    aspects that were not requested. All texts are in `language`.
    """

    names: tuple[str, str]
    titles: tuple[str, str]
    changes: tuple[Change, ...]
    one_sided: tuple[OneSided, ...] = ()
    pieces: tuple[ChangedPiece, ...] | None = None
    is_foreign: bool = False
    unasked: int = 0
    language: str = "en"

    @property
    def tongue(self) -> Tongue:
        """Language of the texts."""
        return Tongue(self.language)

    def about(self, *aspects: str) -> Comparison:
        """Return a comparison with only the changes in the given ASPECTS. Raises CannotRun for an
        unknown aspect."""
        for aspect in aspects:
            if aspect not in ASPECTS:
                hint = suggestion(aspect, ASPECTS) or f"known: {listed(ASPECTS)}"
                raise CannotRun(f"about: there is no aspect {aspect!r}; {hint}")
        changes = tuple(change for change in self.changes if change.aspect in aspects)
        return replace(
            self,
            changes=changes,
            unasked=self.unasked + len(self.changes) - len(changes),
            one_sided=tuple(
                said_once for said_once in self.one_sided if said_once.aspect in aspects
            ),
        )

    @property
    def grouped(self) -> dict[str, list[Change]]:
        """Changes by group, in the order of the format."""
        groups: dict[str, list[Change]] = {group: [] for group in GROUPS}
        for change in self.changes:
            groups[change.group].append(change)
        return {group: changes for group, changes in groups.items() if changes}

    @property
    def in_words(self) -> dict[str, list[str]]:
        """Return sentences by heading."""
        own = self.tongue
        words = {
            named(own, "groups", group): sentences(changes, own)
            for group, changes in self.grouped.items()
        }
        for side, name in enumerate(self.names):
            if told := [one.text(own) for one in self.one_sided if one.later == bool(side)]:
                words[phrase(own, "only", name)] = told
        return words

    @property
    def summary(self) -> str:
        """Return the number of changes for each aspect."""
        own, count = self.tongue, len(self.changes)
        if count:
            counts = {
                aspect: sum(change.aspect == aspect for change in self.changes)
                for aspect in ASPECTS
            }
            parts = (
                phrase(own, "counted", count, named(own, "aspects", a))
                for a, count in counts.items()
                if count
            )
            told = phrase(own, "changes", count, phrase(own, "list").join(parts), count=count)
        else:
            told = phrase(own, "nothing_there" if self.unasked else "nothing")
        others = self.unasked and phrase(own, "unasked", self.unasked, count=self.unasked)
        return phrase(own, "sentences", told, others) if others else told

    def written(self, form: str) -> str:
        """Return the changes in a format: "text", "json" or "markdown"."""
        return {"text": self.text, "json": self.json, "markdown": self.markdown}[form]()

    def text(self) -> str:
        """Return the changes as lines under headings, with the summary at the end."""
        lines = []
        for heading, words in self.in_words.items():
            lines += [printable(heading), *(f"  {printable(sentence)}" for sentence in words), ""]
        for piece in self.pieces or ():
            what = named(self.tongue, "happened", piece.change.what)
            lines.append(
                f"{printable(piece.change.key):<32} {what:<8} {piece.orders(self.tongue)}".rstrip()
            )
        if self.pieces:
            lines.append("")
        return "\n".join([*lines, self.summary]) + "\n"

    def markdown(self) -> str:
        """Return the changes as Markdown sections, ready for a changelog."""
        parts = []
        for heading, words in self.in_words.items():
            lines = [f"- {_escaped(sentence.replace(' -> ', ' → '))}" for sentence in words]
            parts.append(f"### {_escaped(heading)}\n\n" + "\n".join(lines) + "\n")
        if self.pieces:
            own = self.tongue
            rows = [
                f"| {_escaped(piece.change.key)} | {named(own, 'happened', piece.change.what)} "
                f"| {piece.change.to_print or ''} | {piece.change.to_throw_away or ''} |"
                for piece in self.pieces
            ]
            columns = " | ".join(
                phrase(own, key) for key in ("piece", "what", "print", "throw_away")
            )
            head = (
                f"### {phrase(own, 'print_again')}\n\n| {columns} |\n| --- | --- | ---: | ---: |\n"
            )
            parts.append(head + "\n".join(rows) + "\n")
        return "\n".join(parts) or f"{self.summary}\n"

    def json(self) -> str:
        """Return the changes as JSON (docs/formats.md)."""
        value = {
            "format": FORMAT,
            "before": {"name": self.names[0], "title": self.titles[0]},
            "after": {"name": self.names[1], "title": self.titles[1]},
            "changes": [change.as_json for change in self.changes],
            "one_sided": [
                {
                    "by": "after" if one.later else "before",
                    "keys": one.keys,
                    "aspect": one.aspect,
                    "statements": one.statements,
                }
                for one in self.one_sided
            ],
        }
        if self.pieces is not None:
            value["pieces"] = [
                {
                    "key": piece.change.key,
                    "what": piece.change.what,
                    "print": piece.change.to_print,
                    "throw_away": piece.change.to_throw_away,
                }
                for piece in self.pieces
            ]
        return json.dumps(value, ensure_ascii=False, indent=2)

    def pdf(self, options: BuildOptions | None = None) -> bytes:
        """Return the changes as a PDF: first in words, then each changed piece before and after,
        with the numbers to print and to discard. Paper, theme and colours are those of
        `options`. Raises CannotRun if `pieces` were not requested."""
        from platelayer.comparison.pieces import Pair, changes_document
        from platelayer.definitions.themes import complete_theme
        from platelayer.imposition.paper import find_paper
        from platelayer.render.pdf import render_pdf

        if self.pieces is None:
            raise CannotRun("pieces: compare with pieces=True to show what changed")
        options = options or BuildOptions()
        pairs = [
            Pair(name=piece.name, orders=piece.orders(self.tongue), before=before, after=after)
            for piece in self.pieces
            for before, after in piece.pictures
        ]
        step(f"setting {len(pairs)} pairs of pictures")
        document = changes_document(
            # Show only the names: the paths are private.
            " → ".join(Path(name).name for name in self.names),
            self.summary,
            self.in_words,
            pairs,
            paper=find_paper(options.paper),
            margin_mm=options.margin_mm,
            theme=complete_theme(options.theme),
            tongue=self.tongue,
        )
        return render_pdf(document, colour=options.color)


def sentences(changes: Sequence[Change], tongue: Tongue) -> list[str]:
    """Return the changes in words. Subjects that changed in the same way share one sentence."""
    comma = phrase(tongue, "list")
    subjects: dict[str, list[str]] = {}
    for change in changes:
        subjects.setdefault(change.text.removeprefix(change.subject), []).append(change.subject)
    return [f"{comma.join(dict.fromkeys(those))}{happened}" for happened, those in subjects.items()]


def compare(
    before: Reference,
    after: Reference | None = None,
    *,
    variant: str | None = None,
    in_common: bool | None = None,
    pieces: bool = False,
    options: BuildOptions | None = None,
) -> Comparison:
    """Compare two definitions.

    Each is a title (an id, a folder, a file, or the result of `load`), a folder at a git revision
    ("my-title@HEAD~2"), or a game of another program. If `variant` is given, both are read with it.
    A single title is compared with its variant or, if none is given, with its last commit.
    `in_common` compares only fields that both define (the default if one comes from another
    program). With `pieces`, pieces that look different are drawn, with the theme, sizes and
    language of `options`. Raises ProblemsFound for a definition that cannot be read, and CannotRun
    for an unknown revision, variant or language.
    """
    options = options or BuildOptions()
    variants = variant, variant
    names = _name(before), _name(before if after is None else after)
    if after is None:
        after = before
        if variant is not None:
            variants, names = (None, variant), (names[0], f"{names[0]} ({variant})")
        else:
            before = f"{before}@HEAD"
            names = before, names[1]
    with ExitStack() as during:
        (was, was_foreign), (now, now_foreign) = (
            _read(side, its_variant, during)
            for side, its_variant in zip((before, after), variants, strict=True)
        )
        language_notes(now.title, options.language)
        foreign = was_foreign or now_foreign
        common = foreign if in_common is None else in_common
        comparison = compare_loaded(was, now, in_common=common, language=options.language)
        comparison = replace(comparison, names=names, is_foreign=foreign)
        if not pieces:
            return comparison
        from platelayer.comparison.pieces import changed_pieces

        return replace(comparison, pieces=tuple(changed_pieces(was, now, options)))


def compare_loaded(
    before: Loaded, after: Loaded, *, in_common: bool = False, language: str = "en"
) -> Comparison:
    """Compare two loaded titles; texts are in `language`."""
    tongue = Tongue(language)
    one, other = before.assembled.value, after.assembled.value
    compared = compare_definitions(one, other, in_common=in_common)

    return Comparison(
        names=(before.title.id, after.title.id),
        titles=(before.title.id, after.title.id),
        changes=tuple(_change(fact, before, after, tongue) for fact in compared.facts),
        one_sided=tuple(
            OneSided(
                later=facts[0].what == ADDED,
                keys="/".join(keys),
                aspect=aspect_of(facts[0]),
                statements=tuple(stated(fact, one, other, tongue) for fact in facts),
            )
            for keys, facts in compared.unsaid
        ),
        language=language,
    )


def _change(fact: Fact, before: Loaded, after: Loaded, tongue: Tongue) -> Change:
    subject, happened = said(fact, before.assembled.value, after.assembled.value, tongue)
    here, there = join_pointer(*fact.at), join_pointer(*fact.was_at)
    return Change(
        group=group_of(fact),
        aspect=aspect_of(fact),
        what=fact.what,
        subject=subject,
        text=subject + happened,
        pointer=here,
        was_pointer=there,
        before=None if fact.before is MISSING else fact.before,
        after=None if fact.after is MISSING else fact.after,
        place=None if fact.after is MISSING else after.place(here),
        was_place=None if fact.before is MISSING else before.place(there),
    )


def _read(reference: Reference, variant: str | None, during: ExitStack) -> tuple[Loaded, bool]:
    """Return a title to compare, and whether it comes from another program. Anything that has no
    folder of its own is written to one that exists until `during` ends."""
    from platelayer.definitions.titles import is_title, read_title
    from platelayer.foundation.resources import title_ids

    if isinstance(reference, Title):
        return find(reference, variant=variant), False
    if str(reference) in title_ids():
        return read_title(reference, variant=variant), False
    path = Path(reference)
    try:
        there = os.path.exists(path)  # noqa: PTH110 - of a name that no file can have, pathlib may raise
        if not there and "@" in str(reference):
            return read_title(_at_revision(str(reference), during), variant=variant), False
        if not there or is_title(path):
            return read_title(reference, variant=variant), False
    except (OSError, ValueError):
        return read_title(reference, variant=variant), False
    folder = _folder(during) / "imported"
    function("import_title")(path, folder)
    return read_title(folder, variant=variant), True


def _at_revision(reference: str, during: ExitStack) -> Path:
    """Return a folder with the files of a title's folder as they were at a revision."""
    from platelayer.definitions.assemble import find_title
    from platelayer.foundation.resources import title_ids, title_path

    # Folders and revisions may contain "@" as well: my-title@HEAD@{1}.
    parts = reference.split("@")
    splits = [
        ("@".join(parts[:number]), "@".join(parts[number:]))
        for number in range(len(parts) - 1, 0, -1)
    ]
    named = (
        (words, revision)
        for words, revision in splits
        if words in title_ids() or os.path.exists(words)  # noqa: PTH110
    )
    words, revision = next(named, splits[-1])
    if words in title_ids():
        folder = title_path(words)
    elif Path(words).is_dir():
        folder = Path(words)
    else:
        folder = find_title(words)[0].parent
    files = files_of(
        folder, commit_of(folder, revision), (".json", ".svg"), _MOST_BYTES, _MOST_FILES
    )
    if "title.json" not in files:
        raise CannotRun(f"{reference}: there was no title.json in this folder at that revision")
    into = _folder(during) / real(folder).name
    unpack(into, files)
    return into


def _folder(during: ExitStack) -> Path:
    return Path(during.enter_context(tempfile.TemporaryDirectory(prefix="platelayer-")))


def _name(reference: Reference) -> str:
    if not isinstance(reference, Title):
        return str(reference)
    return f"{reference.id} ({reference.variant})" if reference.variant else reference.id


def _escaped(words: str) -> str:
    """Return text in which Markdown finds no markup."""
    return "".join(f"\\{char}" if char in r"\`*_[]<>|#" else char for char in words)


MOST_COMMITS = 30
_PATIENCE_S = 4.0
_ID = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
# A repository may come from anybody, and its settings can name programs to run: to show a
# signature, to watch files, to fetch missing objects. `cat-file` and `ls-tree` run no filters.
_QUIET = ("-c", "log.showSignature=false", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}",
          "-c", "core.quotePath=false", "-c", "i18n.logOutputEncoding=UTF-8")  # fmt: skip
_SETTINGS = {
    "GIT_FLUSH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
}


class Commit(NamedTuple):
    """A commit: its id, its time (seconds since 1970), and its subject."""

    id: str
    time: int
    subject: str


def commits(folder: Path) -> tuple[Commit, ...]:
    """Return the latest commits that touched a folder, newest first: those that git finds in a
    short time. None if the folder is in no repository, or git is not installed."""
    # Fields end in NUL, which a subject cannot contain.
    words = f"--max-count={MOST_COMMITS}", "--format=%H%x00%ct%x00%s%x00", "--", "."
    try:
        log = _git(folder, "log", *words, patient=True)
    except CannotRun:
        return ()
    fields = log.decode("utf-8", "replace").split("\0")
    return tuple(
        Commit(name.strip(), int(time), subject)
        for name, time, subject in zip(fields[:-1:3], fields[1:-1:3], fields[2:-1:3], strict=False)
        if _ID.fullmatch(name.strip()) and time.isdigit()
    )


def commit_of(folder: Path, revision: str) -> str:
    """Return the id of the commit that a git revision names: HEAD~2, a tag, a branch. Raises
    CannotRun."""
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    try:
        name = _git(folder, *words).decode("ascii", "replace").strip()
    except CannotRun as error:
        raise CannotRun(f"{revision}: git knows no such revision of {folder}") from error
    if not _ID.fullmatch(name):
        raise CannotRun(f"{revision}: git knows no such revision of {folder}")
    return name


def files_of(
    folder: Path, commit: str, suffixes: Sequence[str], most_bytes: int, most_files: int
) -> dict[str, bytes]:
    """Return the files of a folder as they were in a commit, by their paths in it, without links
    and hidden files. Raises CannotRun."""
    if not _ID.fullmatch(commit):
        raise CannotRun(f"{commit!r} is not a commit")
    entries = [
        (name, blob, size)
        for name, blob, size in _entries(
            _git(folder, "ls-tree", "-r", "-z", "--long", commit, "--", ".")
        )
        if name.endswith(tuple(suffixes))
        and is_safe_path(name)
        and not any(part.startswith(".") for part in name.split("/"))
    ]
    if len(entries) > most_files or sum(size for _, _, size in entries) > most_bytes:
        raise CannotRun("at that revision, the folder is too large to compare")
    asked = "".join(f"{blob}\n" for _, blob, _ in entries).encode()
    told = _git(folder, "cat-file", "--batch", given=asked) if entries else b""
    files, at = {}, 0
    for name, blob, size in entries:
        begin = told.find(b"\n", at) + 1
        if told[at:begin] != f"{blob} blob {size}\n".encode():
            raise CannotRun(f"{name} of this commit is missing from the repository")
        files[name] = told[begin : begin + size]
        at = begin + size + 1
    return files


def _entries(listing: bytes) -> Iterator[tuple[str, str, int]]:
    """Path, object and size of each file in a listing."""
    for line in listing.split(b"\0"):
        about, _, name = line.partition(b"\t")
        fields = about.decode("ascii", "replace").split()
        if len(fields) == 4 and fields[0] in ("100644", "100755") and fields[3].isdigit():
            try:
                yield name.decode(), fields[2], int(fields[3])
            except UnicodeDecodeError:  # no title can name a file with this name
                continue


@cache
def _program(path: str) -> str | None:
    """Return the path of git, from a folder that PATH names in full. The current folder is never
    searched: Windows looks there first, and it may contain a stranger's program."""
    name = "git.exe" if sys.platform == "win32" else "git"
    paths = (Path(folder, name) for folder in path.split(os.pathsep) if Path(folder).is_absolute())
    return next((str(path) for path in paths if path.is_file() and os.access(path, os.X_OK)), None)


def _git(folder: Path, *words: str, given: bytes = b"", patient: bool = False) -> bytes:
    """Return git's output; if `patient`, as much of it as there is when the time is up. Raises
    CannotRun."""
    program = _program(os.environ.get("PATH", os.defpath))
    if program is None:
        raise CannotRun("git cannot be run: it is in none of the folders of PATH")
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("GIT_")
    } | _SETTINGS
    command = (program, "--no-pager", "--literal-pathspecs", *_QUIET, *words)
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            input=given,
            capture_output=True,
            timeout=_PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        if patient:
            return late.stdout or b""
        raise CannotRun("git takes too long") from late
    except OSError as error:
        raise CannotRun(f"git cannot be run: {error.strerror or error}") from error
    if done.returncode:
        raise CannotRun(
            done.stderr.decode("utf-8", "replace").strip()[:200] or "git cannot read this"
        )
    return done.stdout
