"""torch.distributed and data parallelism of one process with one card: collectives
have nothing to exchange. More processes are refused."""

from __future__ import annotations

import contextlib
import os
from typing import Any, Iterator, List, Tuple

import torch

from ..service import GpuEstimateError
from . import functions


class DistributedDataParallel(torch.nn.Module):
    """torch.nn.parallel.DistributedDataParallel of one process."""

    def __init__(self, module: torch.nn.Module, *_: Any, **__: Any) -> None:
        from .device import current
        super().__init__()
        self.module = module
        owner = current()
        if owner is not None:
            owner.notice("DistributedDataParallel: one process is modelled; the copies "
                         "to its buckets and their all-reduce take no time")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    @contextlib.contextmanager
    def no_sync(self) -> Iterator[None]:
        yield

    join = no_sync

    def register_comm_hook(self, *_: Any, **__: Any) -> None:
        pass


def _to_card(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value if functions.is_on_card(value) else functions.moved_to_card(value)
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(map(_to_card, value))
    if type(value) is dict:
        return {key: _to_card(part) for key, part in value.items()}
    return value


def _data_parallel(self: Any, *inputs: Any, **kwargs: Any) -> Any:
    """DataParallel.forward() with one card: inputs are moved there."""
    return self.module(*_to_card(inputs), **_to_card(kwargs))


def _process_groups() -> List[Tuple[Any, str, Any]]:
    import torch.distributed as dist
    if not dist.is_available():
        return []
    from torch.distributed import distributed_c10d
    original = dist.init_process_group

    def init(backend: Any = None, init_method: Any = None, timeout: Any = None,
             world_size: int = -1, rank: int = -1, *args: Any, **kwargs: Any) -> Any:
        if backend is not None and "nccl" not in str(backend):
            return original(backend, init_method, *(
                [timeout] if timeout is not None else []), world_size=world_size,
                rank=rank, **kwargs)
        count = world_size if world_size > 0 else int(os.environ.get("WORLD_SIZE", 1))
        if count != 1:
            raise GpuEstimateError(
                f"init_process_group: {count} processes, but one is modelled: start one "
                "with WORLD_SIZE=1")
        from torch.testing._internal.distributed.fake_pg import FakeStore
        return original("fake", store=FakeStore(), world_size=1, rank=0)

    def backend_of(group: Any = None) -> str:
        found = get_backend(group)
        return "nccl" if found == "fake" else found

    get_backend = dist.get_backend
    return [(place, name, value) for place in (dist, distributed_c10d)
            for name, value in (("init_process_group", init),
                                ("get_backend", backend_of),
                                ("is_nccl_available", lambda: True))]


def replacements() -> List[Tuple[Any, str, Any]]:
    parallel = torch.nn.parallel
    return [
        (parallel, "DistributedDataParallel", DistributedDataParallel),
        (parallel.distributed, "DistributedDataParallel", DistributedDataParallel),
        (parallel.DataParallel, "forward", _data_parallel),
        *_process_groups()]
