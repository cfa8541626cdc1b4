"""Mutants: small changes of our source, each of which a test should notice.

    .venv/bin/python tests/mutation/mutants.py [--seed WORD] [--count N] [--only PART]

tries a sample of so many of each room, and prints those that no test notices and that nobody has
looked at yet. `survivors.json` holds those that were looked at, each with the reason why no test
need notice it.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "generator"
SURVIVORS = Path(__file__).with_name("survivors.json")
SECONDS = 240
"""A mutant whose tests take longer runs in circles, which is noticed."""
WORDING = ("codes.py", "words.py", "measure_names.py", "report.py")
"""Modules of words and names, which tests of the command compare."""


class Room(NamedTuple):
    """Modules, and the tests that should notice what changes in them, the quickest first."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS = {
    "rules": Room(("rules/*.py",), ("tests/rules", "tests/data/test_stated_facts.py")),
    "preflight": Room(("preflight/*.py",), ("tests/preflight",)),
    "imposition": Room(("imposition/*.py",), ("tests/imposition", "tests/app/test_box.py")),
    "check": Room(
        ("atlas/check.py", "atlas/measures.py"),
        ("tests/atlas/test_check.py", "tests/atlas/test_log.py", "tests/atlas/test_measures.py",
         "tests/atlas/test_assemble.py"),
    ),
}  # fmt: skip


class Mutant(NamedTuple):
    """A change in a module (a path below generator/): in which function, and what was there and is
    now."""

    module: str
    function: str
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.module} {self.function}: {self.was}  ->  {self.now}"


_TURNED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
}  # fmt: skip


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        changed = copy.copy(node)
        changed.ops = [_TURNED[type(node.ops[0])]()]  # type: ignore[list-item]
        yield changed
    elif isinstance(node, (ast.BoolOp, ast.BinOp)) and type(node.op) in _TURNED:
        if not any(isinstance(part, ast.JoinedStr) for part in ast.walk(node)):
            changed = copy.copy(node)
            changed.op = _TURNED[type(node.op)]()  # type: ignore[assignment]
            yield changed
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Constant) and type(node.value) in (bool, int, float):
        value = node.value
        yield ast.Constant(
            not value if isinstance(value, bool) else value + 1 if value in (0, 1) else value * 10
        )
    elif (
        (isinstance(node, ast.If) and not node.orelse)
        or isinstance(node, (ast.Continue, ast.Raise, ast.AugAssign))
        or (
            isinstance(node, ast.Expr)
            and isinstance(node.value, (ast.Call, ast.Yield, ast.YieldFrom))
        )
    ):
        yield ast.Pass()


_PASSED_OVER = ("annotation", "returns", "decorator_list")
_TOLD_TWICE = ("strict", "frozen", "kw_only")
"""Arguments that guard against mistakes of ours, and change nothing where there are none."""


def _places(tree: ast.Module) -> Iterator[tuple[str, ast.AST, str, int | None]]:
    """Every node that may be changed: the function it is in, its parent, the field, and its number
    in a list."""

    def within(parent: ast.AST, function: str) -> Iterator[tuple[str, ast.AST, str, int | None]]:
        inner = function
        if isinstance(parent, (ast.FunctionDef, ast.ClassDef)):
            inner = f"{function}.{parent.name}".lstrip(".")
        for field, value in ast.iter_fields(parent):
            if field in _PASSED_OVER or isinstance(parent, ast.JoinedStr):
                continue
            if isinstance(parent, ast.keyword) and parent.arg in _TOLD_TWICE:
                continue
            if isinstance(parent, ast.If) and "TYPE_CHECKING" in ast.unparse(parent.test):
                continue
            for number, node in enumerate(value) if isinstance(value, list) else ((None, value),):
                if isinstance(node, ast.AST):
                    yield inner, parent, field, number
                    yield from within(node, inner)

    yield from within(tree, "")


def _statement_line(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:200]


def mutations(module: str) -> Iterator[tuple[Mutant, ast.Module]]:
    """Every mutant of a module, with the tree of its source, which is changed again for the
    next."""
    tree = ast.parse((SOURCE / module).read_text("utf-8"))
    for function, parent, field, number in [*_places(tree)]:
        held = getattr(parent, field)
        node = held if number is None else held[number]
        for changed in _changes(node):
            shown = (
                parent if isinstance(node, ast.Constant) and isinstance(parent, ast.expr) else node
            )
            if isinstance(node, ast.Constant) and isinstance(
                parent, (ast.Assign, ast.AnnAssign, ast.keyword)
            ):
                shown = parent
            was = _statement_line(shown)
            ast.copy_location(changed, node)
            _put(parent, field, number, changed)
            now = (
                "nothing"
                if isinstance(changed, ast.Pass)
                else _statement_line(changed if shown is node else shown)
            )
            yield Mutant(module, function, was, now), tree
            _put(parent, field, number, node)


def _put(parent: ast.AST, field: str, number: int | None, node: ast.AST) -> None:
    if number is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[number] = node


def mutated(mutant: Mutant) -> ast.Module:
    """The source of a mutant's module, changed. Raises LookupError if there is no such mutant."""
    for each, tree in mutations(mutant.module):
        if each == mutant:
            return ast.fix_missing_locations(tree)
    raise LookupError(str(mutant))


@cache
def mutants_of(room: Room) -> tuple[Mutant, ...]:
    """All mutants of a room that differ in words."""
    package = SOURCE / "platelayer"
    paths = sorted({path for pattern in room.modules for path in package.glob(pattern)})
    modules = [path.relative_to(SOURCE).as_posix() for path in paths if path.name not in WORDING]
    return tuple(dict.fromkeys(mutant for module in modules for mutant, _ in mutations(module)))


def sample(room: Room, seed: str, count: int) -> list[Mutant]:
    """So many of a room. Which they are hangs on each by itself, so a change of the source changes
    few of them."""

    def place(mutant: Mutant) -> bytes:
        return hashlib.sha256(f"{seed} {mutant}".encode()).digest()

    return sorted(mutants_of(room), key=place)[:count]


def survives(mutant: Mutant, room: Room) -> bool:
    """True if no test of its room notices a mutant."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "MUTANT": json.dumps(mutant),
            "PYTHONPATH": os.pathsep.join(map(str, (Path(__file__).parent, SOURCE))),
            "MUTANT_MET": f"{folder}/met",
            "HYPOTHESIS_STORAGE_DIRECTORY": f"{folder}/examples",
        }
        options = [
            "-x",
            "-q",
            "-p",
            "mutated",
            "-p",
            "no:cacheprovider",
            "--hypothesis-seed=0",
            f"--basetemp={folder}/t",
        ]
        command = [sys.executable, "-m", "pytest", *options, *room.tests]
        try:
            done = subprocess.run(
                command,
                cwd=ROOT,
                env=environment,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        if not Path(folder, "met").exists():
            raise RuntimeError(
                f"no test imports {mutant.module}: {done.stdout.decode()[-2000:]}{done.stderr.decode()[-2000:]}"
            )
    return done.returncode == 0


def looked_at() -> dict[Mutant, str]:
    """Survivors that were looked at, and why no test need notice them."""
    entries = json.loads(SURVIVORS.read_text("utf-8"))
    return {
        Mutant(each["module"], each["in"], each["was"], each["now"]): each["why"]
        for each in entries
    }


def unseen(seed: str, count: int, only: str = "") -> Iterator[Mutant]:
    """Survivors of a sample, so many of each room, that nobody has looked at."""
    known = looked_at()
    jobs = [
        (mutant, room)
        for name, room in ROOMS.items()
        if only in name
        for mutant in sample(room, seed, count)
        if mutant not in known
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        ends = pool.map(lambda job: survives(*job), jobs)
        yield from (mutant for (mutant, _), end in zip(jobs, ends, strict=True) if end)


def main() -> None:
    """Try a sample, and print its survivors as entries for survivors.json."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--only", default="")
    requested = parser.parse_args()
    for mutant in unseen(requested.seed, requested.count, requested.only):
        module, function, was, now = mutant
        entry = {"module": module, "in": function, "was": was, "now": now, "why": ""}
        sys.stdout.write(json.dumps(entry, ensure_ascii=False) + ",\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
