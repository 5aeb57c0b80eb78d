"""The target of Triton's compiler for a GPU model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Dict

from .. import service


@dataclass(frozen=True)
class Card:
    """What a compiler has to know of a GPU model."""

    id: str
    name: str
    arch: str  # "sm_90" or "gfx942"
    warp_size: int  # threads

    @property
    def is_amd(self) -> bool:
        return self.arch.startswith("gfx")

    @property
    def capability(self) -> int:
        """90 of "sm_90" or "sm_90a"; NVIDIA's alone."""
        found = re.match(r"sm_(\d+)", self.arch)
        return int(found.group(1)) if found else 0

    def target(self) -> Any:
        """Triton's GPUTarget."""
        from triton.backends.compiler import GPUTarget
        if self.is_amd:
            return GPUTarget("hip", self.arch, self.warp_size)
        return GPUTarget("cuda", self.capability, self.warp_size)


def card_of(gpu: str) -> Card:
    """The GPU model of an id or alias; GpuEstimateError for another text."""
    return _cards(gpu)


@lru_cache(maxsize=None)
def _cards(gpu: str) -> Card:
    rows = _rows()
    row = rows.get(gpu.lower())
    if row is None:
        # The command tells what is near.
        service.shared().estimate(source="__global__ void k() {}", gpu=gpu,
                                  grid=1, block=32)
        raise service.GpuEstimateError(
            f"'{gpu}' stands for several GPUs: name one of `gpu-estimate gpus`")
    return Card(row["id"], row["name"], row["arch"], row["warp_size"])


@lru_cache(maxsize=None)
def _rows() -> Dict[str, Dict[str, Any]]:
    found = {}
    for row in service.gpus():
        for name in (row["id"], row["name"], *row["aliases"]):
            found[name.lower()] = row
    return found
