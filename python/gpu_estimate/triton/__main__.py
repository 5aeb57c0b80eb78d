"""python -m gpu_estimate.triton FILE --kernel K --signature S --arch sm_90 -o DIR

Compiles a kernel of Triton for a card that is not there: DIR/K.ptx (K.llir for
AMD) and Triton's metadata, K.json. Prints the name of the code's file. It is
what `gpu-estimate analyze FILE.py --signature S` runs.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any, Dict, List

from ..service import GpuEstimateError


def value_of(text: str) -> Any:
    """A number, True, False or None; else the text.

    >>> value_of("64"), value_of("True"), value_of("1e-5"), value_of("gelu")
    (64, True, 1e-05, 'gelu')
    """
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def assignments(pairs: List[str]) -> Dict[str, Any]:
    return {name: value_of(value)
            for name, _, value in (pair.partition("=") for pair in pairs)}


def jit_functions(names: Dict[str, Any]) -> Dict[str, Any]:
    """The kernels among the names of a module."""
    return {name: value for name, value in names.items()
            if hasattr(value, "run") and hasattr(value, "fn") and
            hasattr(value, "arg_names")}


def load(file: str) -> Dict[str, Any]:
    """The names that a file defines; code behind `if __name__ == "__main__"`
    does not run."""
    path = Path(file)
    if not path.is_file():
        raise GpuEstimateError(f"{file}: no such file")
    sys.path.insert(0, str(path.parent.resolve()))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as problem:
        at = [frame for frame in traceback.extract_tb(problem.__traceback__)
              if frame.filename == str(path)]
        line = f":{at[-1].lineno}" if at else ""
        raise GpuEstimateError(
            f"{file}{line}: {type(problem).__name__}: {problem}; the file is "
            "executed to find the kernel: put what needs a GPU or other data "
            "behind `if __name__ == \"__main__\":`") from problem
    return vars(module)


def chosen(kernels: Dict[str, Any], name: str, file: str) -> Any:
    if name in kernels:
        return kernels[name]
    if not name and len(kernels) == 1:
        return next(iter(kernels.values()))
    there = ", ".join(kernels) or "none"
    raise GpuEstimateError(
        f"{file}: " + (f"no kernel '{name}'" if name else
                       "several kernels: name one by --kernel") +
        f"; there are: {there}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m gpu_estimate.triton")
    parser.add_argument("file")
    parser.add_argument("--kernel", default="")
    parser.add_argument("--signature")
    parser.add_argument("--constexpr", action="append", default=[])
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--gpu", required=True)
    parser.add_argument("--arch", required=True)
    parser.add_argument("--warp-size", type=int, default=32)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    # What the user's file prints is no file name.
    result, sys.stdout = sys.stdout, sys.stderr
    warnings.simplefilter("ignore")
    try:
        import triton  # noqa: F401
    except ImportError:
        raise GpuEstimateError(
            f"{sys.executable} has no module 'triton': pip install triton, or set "
            "the environment variable GPU_ESTIMATE_PYTHON to an interpreter that "
            "has it") from None
    from . import compiling, driver
    from .target import Card
    card = Card(given.gpu, given.gpu, given.arch, given.warp_size)
    with driver.only_compiles(card):
        kernels = jit_functions(load(given.file))
        function = chosen(kernels, given.kernel, given.file)
        made = compiling.compile_for(
            function, card, given.signature, assignments(given.constexpr),
            options=assignments(given.option))
    print(made.write(given.output), file=result)
    for note in made.notes:
        print(f"{given.file}: note: {note}", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except GpuEstimateError as problem:
        sys.exit(str(problem))
