"""A problem and its solution in the conventions of KernelBench: a file with `Model`,
`get_inputs` and `get_init_inputs`, and one with `ModelNew`."""

from __future__ import annotations

import ast
import sys
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List

from ..service import GpuEstimateError

# Sizes up to this stay as they are: kernel sizes, channels of an image, heads.
SMALLEST_REDUCED = 64


@dataclass
class Loaded:
    """The names that a file defines."""

    path: Path
    names: Dict[str, Any]

    def get(self, name: str) -> Any:
        if name not in self.names:
            raise GpuEstimateError(f"{self.path}: no '{name}', which KernelBench's "
                                   "conventions ask for")
        return self.names[name]


def sizes_of(source: str) -> Dict[str, int]:
    """Sizes that a file states as numbers on its outermost level.

    >>> sizes_of("M = 4096 * 2\\nN = M // 2\\nkernel = 3\\nx = 'a'")
    {'M': 8192, 'N': 4096, 'kernel': 3}
    """
    found: Dict[str, int] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and \
                isinstance(node.targets[0], ast.Name):
            value = _value(node.value, found)
            if value is not None:
                found[node.targets[0].id] = value
    return found


def _value(node: ast.expr, known: Dict[str, int]) -> Any:
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, known), _value(node.right, known)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.FloorDiv) and right:
            return left // right
        if isinstance(node.op, ast.Pow) and 0 <= right < 64:
            return left ** right
    return None


def reduced(source: str, factor: int) -> str:
    """The source with its large sizes divided, but not below SMALLEST_REDUCED.

    >>> reduced("N = 4096\\nkernel = 3", 8)
    'N = 512\\nkernel = 3'
    """
    if factor == 1:
        return source
    tree = ast.parse(source)
    known = sizes_of(source)
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and \
                isinstance(node.targets[0], ast.Name) and \
                isinstance(node.value, (ast.Constant, ast.BinOp)):
            size = known.get(node.targets[0].id)
            if size is None or size <= SMALLEST_REDUCED or _names(node.value):
                continue
            node.value = ast.copy_location(
                ast.Constant(max(SMALLEST_REDUCED, size // factor)), node.value)
    return ast.unparse(tree)


def _names(node: ast.expr) -> List[str]:
    return [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]


def load(path: Path, source: str, name: str) -> Loaded:
    """Executes a file; errors name it."""
    module = types.ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # inspect and Triton look sources up there
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except GpuEstimateError:
        raise
    except Exception as problem:
        raise GpuEstimateError(f"{path}: {type(problem).__name__}: {problem}"
                               ) from problem
    return Loaded(path, module.__dict__)
