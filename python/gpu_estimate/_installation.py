"""Finds the command `gpu-estimate` and what is installed with it."""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path

_RUNTIME = "libgpu-estimate-cudart.so"


def command() -> str:
    """The command: that of the environment variable GPU_ESTIMATE, the one that
    belongs to this package, or the one on PATH."""
    named = os.environ.get("GPU_ESTIMATE")
    if named:
        return named
    here = Path(__file__).resolve()
    candidates = [Path(sysconfig.get_path("scripts")) / "gpu-estimate"]
    # share/gpu-estimate/python/gpu_estimate of an installed tree, and
    # python/gpu_estimate of the sources with build/ beside it.
    if len(here.parents) > 4:
        candidates.append(here.parents[4] / "bin" / "gpu-estimate")
    candidates.append(here.parents[2] / "build" / "bin" / "gpu-estimate")
    for candidate in candidates:
        if os.access(candidate, os.X_OK):
            return str(candidate)
    return shutil.which("gpu-estimate") or "gpu-estimate"


def runtime_library() -> str:
    """The library that executes kernels; FileNotFoundError without one."""
    program = shutil.which(command())
    if program is None:
        raise FileNotFoundError(
            f"no command {command()}: set the environment variable GPU_ESTIMATE "
            "to its path")
    prefix = Path(program).resolve().parent.parent
    for place in (prefix / "lib" / "gpu-estimate" / _RUNTIME,
                  prefix / "lib" / _RUNTIME):
        if place.exists():
            return str(place)
    raise FileNotFoundError(f"no {_RUNTIME} below {prefix}/lib")
