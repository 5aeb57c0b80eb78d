"""python -m gpu_estimate.script FILE ARGUMENTS: a script in Python under
`gpu-estimate run`, whose environment variables this process has.

Kernels of Triton launch on the modelled GPU; clocks of the module `time` are
virtual.
"""

from __future__ import annotations

import contextlib
import multiprocessing.connection
import runpy
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Dict

from . import cards, runtime
from .service import GpuEstimateError


def virtual_clocks(card: cards.Card) -> Dict[str, Callable[..., Any]]:
    """Functions of the module `time` on the virtual clock: they show what they
    show now, plus the program's own time and its waits for the modelled GPU."""
    found: Dict[str, Callable[..., Any]] = {}
    begin = card.now_ns()

    def now_ns() -> float:
        runtime.library().gpu_estimate_host_work(_READ_NS)
        return card.now_ns()

    def clock(origin: float, unit: float) -> Callable[[], Any]:
        if unit == 1:
            return lambda: int(origin + now_ns() - begin)
        return lambda: origin + (now_ns() - begin) / unit

    for name in ("time", "monotonic", "perf_counter", "process_time"):
        found[name] = clock(getattr(time, name)(), 1e9)
        found[name + "_ns"] = clock(getattr(time, name + "_ns")(), 1)
    return found


# A read of a clock takes the host that long, so that a program which waits for a
# clock comes to an end while PyTorch holds it (pytorch/session.py). Measured in C:
# 20 ns; Python's call adds 30.
_READ_NS = 50


def install_clocks(card: cards.Card) -> None:
    """Replaces the functions of the module `time`. What waits between processes
    keeps the real clock: it waits for the emulation."""
    real = SimpleNamespace(**vars(time))
    multiprocessing.connection.time = real  # type: ignore[attr-defined]
    for name, clock in virtual_clocks(card).items():
        setattr(time, name, clock)

    def sleep(seconds: float) -> None:
        before = card.now_ns()
        real.sleep(seconds)
        rest = seconds * 1e9 - (card.now_ns() - before)
        if rest > 0:
            runtime.library().gpu_estimate_host_work(rest)

    time.sleep = sleep


def main() -> None:
    file = sys.argv[1]
    if not Path(file).is_file():
        sys.exit(f"gpu-estimate: error: {file}: no such file")
    card = cards.attach_to_run()
    sys.argv = sys.argv[1:]
    sys.path[0] = str(Path(file).parent.resolve())
    status = 1
    try:
        with contextlib.ExitStack() as stack:
            with card.holding():
                stack.enter_context(cards._drivers(card, awaits_torch=True))
            install_clocks(card)
            runpy.run_path(file, run_name="__main__")
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        raise
    finally:
        # The end of the interpreter, which takes PyTorch seconds, is no work of the
        # program.
        runtime.library().gpu_estimate_detach(status)


if __name__ == "__main__":
    try:
        main()
    except GpuEstimateError as problem:
        sys.exit(f"gpu-estimate: error: {problem}")
