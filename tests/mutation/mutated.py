"""A plugin for pytest: one module of ours is imported with a change, which `MUTANT` names."""

from __future__ import annotations

import json
import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType

from mutants import Mutant, mutated

MUTANT = Mutant(*json.loads(os.environ["MUTANT"]))
NAME = MUTANT.module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


class Loader(SourceFileLoader):
    """Loads the changed source."""

    def get_code(self, fullname: str) -> CodeType:
        assert fullname == NAME
        Path(os.environ["MUTANT_MET"]).touch()
        return compile(mutated(MUTANT), self.path, "exec", dont_inherit=True)


class Finder(MetaPathFinder):
    """Finds the changed module, and no other."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        if fullname != NAME:
            return None
        spec = PathFinder.find_spec(fullname, path)  # type: ignore[arg-type]
        assert spec is not None
        assert spec.origin is not None
        spec.loader = Loader(fullname, spec.origin)
        return spec


sys.meta_path.insert(0, Finder())
