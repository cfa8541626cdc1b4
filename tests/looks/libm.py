"""A C library whose last bits are others: run before anything of Platelayer is imported.

Results of functions whose last bit is the C library's own choice move by one unit in the last
place, up or down, or stay: always the same way for the same arguments, as in a real library. What
every library returns exactly (the sine of 0, a root) stays. `**` of floats is such a function too;
modules of ours are compiled with a call in its place.
"""

from __future__ import annotations

import ast
import builtins
import math
import sys
from collections.abc import Callable
from importlib.machinery import PathFinder, SourceFileLoader
from types import CodeType
from typing import Any
from zlib import crc32

FUNCTIONS = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh"),
    *("hypot", "dist", "pow", "exp", "expm1", "exp2", "log", "log2", "log10", "log1p", "cbrt"),
)
_TRIVIAL = {0.0, 1.0, -1.0}


def disturb(seed: int) -> None:
    """Move the last bits of mathematical functions from now on. 0 moves nothing."""
    if not seed:
        return
    for name in FUNCTIONS:
        if hasattr(math, name):
            setattr(math, name, _moved(name, getattr(math, name), seed))
    power = _moved("**", lambda base, exponent: base**exponent, seed)
    builtins.__dict__["_power"] = lambda base, exponent: (
        power(base, exponent)
        if isinstance(base, float) or isinstance(exponent, float)
        else base**exponent
    )
    sys.meta_path.insert(0, _Ours())


def _moved(name: str, function: Callable[..., Any], seed: int) -> Callable[..., Any]:
    def moved(*arguments: Any) -> Any:
        exact = function(*arguments)
        if not isinstance(exact, float) or exact in _TRIVIAL or not math.isfinite(exact):
            return exact
        way = crc32(repr((seed, name, arguments)).encode()) % 3 - 1
        return math.nextafter(exact, math.inf * way) if way else exact

    return moved


class _Powers(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """A call instead of `**`."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        call = ast.Call(
            func=ast.Name(id="_power", ctx=ast.Load()), args=[node.left, node.right], keywords=[]
        )
        return ast.copy_location(call, node)


class _Loader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType | None:
        """Compiled anew, with no file beside it."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:
        """The code, with calls for powers."""
        tree = ast.fix_missing_locations(_Powers().visit(ast.parse(data, path)))
        return compile(tree, path, "exec", dont_inherit=True, optimize=_optimize)


class _Ours(PathFinder):
    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> Any:
        """Modules of ours, with another loader."""
        spec = (
            super().find_spec(fullname, path, target)
            if fullname.partition(".")[0] == "platelayer"
            else None
        )
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec
