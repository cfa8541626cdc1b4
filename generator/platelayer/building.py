"""A title and what is asked of a print in, a folder of finished files out: every stage of the pipeline, in order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from platelayer.choosing import choose
from platelayer.files import write_all
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, Severity, sort_problems
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.options import HOME, BuildOptions, options_for
from platelayer.print_job import Printed, PrintJob, Progress
from platelayer.printing import print_pieces
from platelayer.reading import read_to_print
from platelayer.reprint import Change, Seen, changes, describe, known, read_seen

CHANGES = "changes.txt"


def _silent(_stage: str, _done: int, _of: int) -> None:
    """The progress of a build nobody watches."""


class BuildResult(Struct, frozen=True, kw_only=True):
    """What a build wrote: the folder, its files in order (manifest.json last), how many pages and pieces, notes worth
    telling, and, where it was asked for, what has changed since an earlier print."""

    folder: Path
    files: tuple[Path, ...]
    pages: int
    pieces: int
    problems: tuple[Problem, ...]
    changes: tuple[Change, ...] = ()


def read_options(profile: str | None, given: Mapping[str, Any]) -> BuildOptions:
    """Options as given, over those of the profile (a shipped id or a file). Raises ProblemsFound for the profile."""
    from platelayer.definitions.profiles import load_profile

    return options_for(load_profile(profile or HOME), given)


def build(reference: str, output: Path, options: BuildOptions, progress: Progress = _silent) -> BuildResult:
    """Print a title into `output/<title id>/`. Nothing is written unless everything could be made.

    Raises ProblemsFound (definition, legibility, paper, limits of the profile) and CannotRun (options, output).
    """
    from platelayer.definitions.profiles import load_profile
    from platelayer.rules.graph import upgrade_graph
    from platelayer.sheets.finish import Finish, check_finish
    from platelayer.sheets.paper import find_paper
    from platelayer.sheets.plan import check_layouts, read_plan, standard_plan
    from platelayer.sheets.sizes import with_sizes

    paper = find_paper(options.paper)
    finish = Finish(
        cut=options.cut,
        spot_name=options.spot_name,
        duplex=options.duplex,
        offset_mm=options.offset_mm,
        back_offset_mm=options.back_offset_mm,
        scale=options.scale,
    )
    check_finish(finish)
    plan = read_plan(Path(options.sheets)) if options.sheets else standard_plan()
    check_layouts(dict(options.layouts), plan)
    title, problems, style = read_to_print(reference, options, by_rules=True)
    title = with_sizes(title, build_manifest(title), options.sizes)
    manifest = build_manifest(title)
    chosen = choose(title, manifest, options)
    before = read_seen(Path(options.since), title.id) if options.since else None
    if before is not None and options.copies is not None:
        raise CannotRun("--copies and --since do not go together: --since prints as many as have changed")
    job = PrintJob(
        title=title,
        manifest=manifest,
        graph=upgrade_graph(title),
        style=style,
        profile=options.profile or load_profile(HOME),
        plan=plan,
        paper=paper,
        margin_mm=options.margin_mm,
        layouts=dict(options.layouts),
        finish=finish,
        poster=find_paper(options.poster) if options.poster else None,
        colour=options.color,
        output=options.output,
        before=before,
    )
    if job.colour == "cmyk" and finish.cut == "spot" and job.standard != "PDF/X-4":
        message = f"{job.profile.name.get('en')} takes {job.standard}, which has no layer for a cut line"
        raise ProblemsFound([Problem(code="SH06", message=message, hint="use --cut none, marks or lines")])
    printed = print_pieces(job, chosen, progress)
    if not printed.files and before is None:
        raise ProblemsFound([replace(problem, severity=Severity.ERROR) for problem in printed.problems])
    files = {file.name: file.data for file in printed.files}
    seen = known(before, printed.seen, manifest.by_key) if before is not None else printed.seen
    found = changes(before, seen, [piece.kind for piece in chosen]) if before is not None else ()
    if before is not None:
        files[CHANGES] = describe(found).encode()
    files["manifest.json"] = _manifest_json(manifest, printed, seen, options)
    folder = output / title.id
    write_all(folder, files)
    fronts = [placed for file in printed.files for placed in file.placements if placed.face == "front"]
    made = {(placed.kind, placed.id) for placed in fronts}
    kept = [piece for piece in chosen if job.output == "sheets" or (piece.kind, piece.id) in made]
    return BuildResult(
        folder=folder,
        files=tuple(folder / name for name in files),
        pages=sum(file.pages for file in printed.files),
        pieces=sum(piece.count for piece in kept) if before is None else len(fronts),
        problems=sort_problems((*problems, *printed.problems)),
        changes=found,
    )


def _manifest_json(manifest: Manifest, printed: Printed, seen: Mapping[str, Seen], options: BuildOptions) -> bytes:
    """manifest.json: what was asked for, the files with pages and digests, every piece with the digests of its faces,
    and where every printed piece lies."""
    value = {
        "format": "platelayer.build/1",
        "title": manifest.title,
        "variant": manifest.variant,
        "options": options.of_print,
        "files": [
            {
                "file": file.name,
                "pages": file.pages,
                "bytes": len(file.data),
                "sha256": hashlib.sha256(file.data).hexdigest(),
            }
            for file in printed.files
        ],
        "totals": manifest.totals,
        "pieces": [
            {
                "kind": key.partition(":")[0],
                "id": key.partition(":")[2],
                "count": seen.count,
                "front": seen.front,
                **({"back": seen.back} if seen.back else {}),
            }
            for key, seen in seen.items()
        ],
        "placements": [
            {
                "file": file.name,
                "page": placement.page,
                "kind": placement.kind,
                "id": placement.id,
                "face": placement.face,
                "trim_mm": [round(length, 3) for length in placement.trim],
                "rotation": placement.rotation,
            }
            for file in printed.files
            for placement in file.placements
        ],
    }
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
