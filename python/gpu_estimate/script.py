"""python -m gpu_estimate.script FILE ARGUMENTS: a script in Python under
`gpu-estimate run`, whose environment variables this process has.

Kernels of Triton launch on the modelled GPU; clocks of the module `time` are
virtual.
"""

from __future__ import annotations

import importlib
import importlib.util
import runpy
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict

from . import cards
from .service import GpuEstimateError


def virtual_clocks(card: cards.Card) -> Dict[str, Callable[..., Any]]:
    """Functions of the module `time` on the virtual clock: they show what they
    show now, plus the program's own time and its waits for the modelled GPU."""
    found: Dict[str, Callable[..., Any]] = {}
    begin = card.now_ns()

    def clock(origin: float, unit: float) -> Callable[[], Any]:
        if unit == 1:
            return lambda: int(origin + card.now_ns() - begin)
        return lambda: origin + (card.now_ns() - begin) / unit

    for name in ("time", "monotonic", "perf_counter", "process_time"):
        found[name] = clock(getattr(time, name)(), 1e9)
        found[name + "_ns"] = clock(getattr(time, name + "_ns")(), 1)
    return found


def main() -> None:
    file = sys.argv[1]
    if not Path(file).is_file():
        sys.exit(f"gpu-estimate: error: {file}: no such file")
    card = cards.attach_to_run()
    # A script with PyTorch finds it on the card, before its own import.
    if "torch" in Path(file).read_text(errors="replace") and \
            importlib.util.find_spec("torch") is not None:
        importlib.import_module("torch")
    sys.argv = sys.argv[1:]
    sys.path[0] = str(Path(file).parent.resolve())
    with cards._drivers(card):
        for name, clock in virtual_clocks(card).items():
            setattr(time, name, clock)
        runpy.run_path(file, run_name="__main__")


if __name__ == "__main__":
    try:
        main()
    except GpuEstimateError as problem:
        sys.exit(f"gpu-estimate: error: {problem}")
