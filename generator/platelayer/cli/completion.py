"""Completion of words by the tab key: titles, pieces, variants, themes ... and how it gets into a
shell. Imported only when a shell completes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    split_arg_string,
)

from platelayer.foundation.problems import CannotRun, ProblemsFound

# Possible values of a parameter, each with a note (or ""), given the parameters before it.
Words = Iterable[tuple[str, str]]


def words_for(name: str, given: dict[str, Any]) -> Words:
    """Words for a parameter. Names of titles are paths as well."""
    from platelayer.foundation.languages import names
    from platelayer.foundation.resources import asset_json, asset_path, title_ids
    from platelayer.model.kinds import KINDS
    from platelayer.pipeline.load import find
    from platelayer.pipeline.registry import function

    title, variant = given.get("title"), given.get("variant")
    match name:
        case "title" | "titles" | "before" | "after":
            return dict.fromkeys(title_ids(), "").items()
        case "variant":
            titles = title or given.get("before") or given.get("titles")
            if not titles:
                return ()
            read = find(titles if isinstance(titles, str) else titles[-1]).title
            return ((entry.id, entry.name.get("en")) for entry in read.variants)
        case "piece" | "pieces":
            from platelayer.model.manifest import build_manifest

            pieces = build_manifest(find(title, variant=variant).title).pieces if title else ()
            return ((piece.key, piece.name.get("en")) for piece in pieces)
        case "only" | "without":
            return dict.fromkeys(KINDS, "").items()
        case "language":
            return names().items()
        case "theme" | "profile":
            files = sorted(asset_path(f"{name}s").glob("*.json"))
            return ((path.stem, "") for path in files)
        case "layouts":
            from platelayer.imposition.plan import standard_plan

            documents = standard_plan()
            return ((f"{each.stem}={layout}", "") for each in documents for layout in each.layouts)
        case "sizes":
            sizes = asset_json("sheets", "sizes.json")["sizes"].items()
            return ((f"{kind}={size}", entry["name"]) for kind in KINDS for size, entry in sizes)
        case "paper" | "poster":
            papers = asset_json("media", "papers.json")["media"]
            return ((paper, entry["name"]) for paper, entry in papers.items())
        case "media":
            from platelayer.imposition.paper import catalogue

            return ((medium.id, medium.name.get("en")) for medium in catalogue().values())
        case "code":
            from platelayer.pipeline.load import known_codes

            return ((code, entry.name) for code, entry in known_codes().items())
        case "export_format":
            return ((form, entry.says) for form, entry in function("export_formats").items())
        case "mode":
            atlas = find(title or "lost-atlas").title.atlas
            return ((mode.id, "") for mode in atlas.modes) if atlas else ()
        case "policy":
            return dict.fromkeys(function("atlas_policies"), "").items()
    return ()


_LISTS = ("only", "without", "pieces")
_FILES = (
    *("title", "titles", "before", "after"),
    *("theme", "profile", "since", "sheets", "position"),
)


def complete(name: str, given: dict[str, Any], incomplete: str) -> list[CompletionItem[str]]:
    """The words that a parameter may have and that begin with what was typed, after the last comma
    of a list; none if a title cannot be read."""
    before, comma, begun = incomplete.rpartition(",") if name in _LISTS else ("", "", incomplete)
    try:
        items = [
            CompletionItem(f"{before}{comma}{word}", help=note or None)
            for word, note in words_for(name, given)
            if word.startswith(begun)
        ]
    except (CannotRun, ProblemsFound, OSError):
        items = []
    if name in _FILES and not items:
        items.append(CompletionItem(incomplete, type="file"))
    return items


@add_completion_class
class _Bash(BashComplete):
    """Completion for bash, whose own words end at ":" and "=": the whole line is sent, and what
    stands before the last of these is taken off again."""

    source_template = """\
%(complete_func)s() {
    local IFS=$'\\n' response type value last
    last="${COMP_LINE:0:COMP_POINT}"
    response=$(env COMP_WORDS="$last" %(complete_var)s=bash_complete "$1")
    last="${last##*[[:space:]]}"
    last="${last%%"${last##*[:=]}"}"
    for completion in $response; do
        IFS=',' read -r type value <<< "$completion"
        if [[ $type == 'dir' ]]; then
            compopt -o dirnames
        elif [[ $type == 'file' ]]; then
            compopt -o default
        else
            COMPREPLY+=("${value#"$last"}")
        fi
    done
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The complete words after the command, and the one that is being typed."""
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)[1:]
        if not words or line[-1:].isspace():
            return words, ""
        return words[:-1], words[-1]


VARIABLE = "_PLATELAYER_COMPLETE"
SHELLS = ("bash", "zsh", "fish", "powershell")


def install(shell: str | None) -> tuple[Path, str]:
    """Add completion to the start-up file of a shell, by default the user's, unless it is there;
    the file, and the line that was added or "". Raises CannotRun for a shell that is not known, or
    not there."""
    line = line_for(shell)
    path = _start_up_file(shell or _own_shell())
    path.parent.mkdir(parents=True, exist_ok=True)
    # Append as bytes, whatever encoding and line endings the rest of the file has.
    with path.open("a+b") as stream:
        stream.seek(0)
        before = stream.read()
        if line.encode() in before:
            return path, ""
        stream.write(b"\n" * (not before.endswith(b"\n") and before != b"") + f"{line}\n".encode())
    return path, line


def _own_shell() -> str:
    if sys.platform == "win32" and "SHELL" not in os.environ:
        return "powershell"
    name = Path(os.environ.get("SHELL", "")).name
    if name in SHELLS:
        return name
    known = ", ".join(SHELLS)
    raise CannotRun(f"your shell, {name!r}, has no completion; choose one of: {known}")


def line_for(shell: str | None) -> str:
    """The line that completes words in a shell, by default the user's. Raises CannotRun."""
    shell = shell or _own_shell()
    if shell == "fish":
        return f"{VARIABLE}=fish_source platelayer | source"
    if shell == "powershell":
        call = f"$env:{VARIABLE}='powershell_source'; platelayer | Out-String | Invoke-Expression"
        return f"{call}; Remove-Item Env:{VARIABLE}"
    return f'eval "$({VARIABLE}={shell}_source platelayer)"'


def _start_up_file(shell: str) -> Path:
    home = Path.home()
    if shell == "bash":
        return home / ".bashrc"
    if shell == "zsh":
        return Path(os.environ.get("ZDOTDIR") or home) / ".zshrc"
    if shell == "fish":
        return Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "fish/config.fish"
    program = shutil.which("pwsh") or shutil.which("powershell")
    if program is None:
        raise CannotRun("there is no PowerShell (pwsh) here; --print shows the line for $PROFILE")
    answer = subprocess.run(
        [program, "-NoProfile", "-Command", "$PROFILE"], capture_output=True, text=True, check=False
    )
    if answer.returncode or not answer.stdout.strip():
        raise CannotRun(f"{program} does not name its $PROFILE; --print shows the line for it")
    return Path(answer.stdout.strip())
