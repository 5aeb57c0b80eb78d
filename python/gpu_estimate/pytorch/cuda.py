"""torch.cuda of the modelled card: what it tells of the device, of its memory, and
its streams and events. All of it is put back when the card is closed."""

from __future__ import annotations

import contextlib
import ctypes
from types import SimpleNamespace
from typing import Any, Dict, Iterator, List, Optional, Tuple

import torch

from .. import runtime
from ..service import GpuEstimateError
from . import accelerator, extension, graphs, legacy, parallel
from . import device as devices
from .device import CardDevice


class Stream:
    """torch.cuda.Stream on the time line of the card."""

    device = torch.device("cuda", 0)

    def __init__(self, device: Any = None, priority: int = 0, **_: Any) -> None:
        owner = _owner()
        self.handle: Any = ctypes.c_void_p()
        # torch's streams do not wait for the default stream.
        non_blocking = 1
        runtime.check(runtime.library().cuStreamCreate(
            ctypes.byref(self.handle), non_blocking), "a stream")
        owner.next_stream = getattr(owner, "next_stream", 0) + 1
        self.number = owner.next_stream
        self.priority = priority

    @property
    def cuda_stream(self) -> int:
        return self.handle.value or 0 if self.handle else 0

    stream_id = property(lambda self: self.number)

    def synchronize(self) -> None:
        runtime.check(runtime.library().cuStreamSynchronize(self.handle), "a stream")
        _owner().unjoined_streams.discard(self.number)

    def query(self) -> bool:
        return runtime.library().cudaStreamQuery(self.handle) == 0

    def is_capturing(self) -> bool:
        """Does this stream record a graph? A capture records what the program
        calls, on the stream that is current then."""
        owner = _owner()
        current = owner.stream.number if owner.stream else 0
        return owner.capture is not None and self.number == current

    def wait_event(self, event: "Event") -> None:
        event.wait(self)

    def wait_stream(self, stream: "Stream") -> None:
        self.wait_event(stream.record_event())

    def record_event(self, event: Optional["Event"] = None) -> "Event":
        event = event or Event()
        event.record(self)
        return event

    def __enter__(self) -> "Stream":
        _owner().compiler.settle()
        self._before = _owner().stream
        _owner().stream = self if self.handle else None
        return self

    def __exit__(self, *_: Any) -> None:
        _owner().compiler.settle()
        _owner().stream = self._before

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self.number == other.number

    def __hash__(self) -> int:
        return hash(self.number)

    def __repr__(self) -> str:
        return f"<torch.cuda.Stream device=cuda:0 number={self.number}>"


class _DefaultStream(Stream):
    def __init__(self) -> None:
        self.handle, self.number, self.priority = None, 0, 0


class Event(runtime.Event):
    """torch.cuda.Event on the time line of the card."""

    def record(self, stream: Any = None) -> None:
        _owner().compiler.settle()
        stream = stream or _owner().stream
        self._number = stream.number if stream else 0
        runtime.check(runtime.library().cuEventRecord(
            self._handle, stream.handle if stream else None), "an event")

    def wait(self, stream: Any = None) -> None:
        stream = stream or _owner().stream
        runtime.check(runtime.library().cuStreamWaitEvent(
            stream.handle if stream else None, self._handle, 0), "an event")
        if stream is None or not stream.handle:
            _owner().unjoined_streams.discard(getattr(self, "_number", 0))

    def synchronize(self) -> None:
        super().synchronize()
        _owner().unjoined_streams.discard(getattr(self, "_number", 0))

    def query(self) -> bool:
        return runtime.library().cudaEventQuery(self._handle) == 0


def _owner() -> CardDevice:
    found = devices.current()
    if found is None:
        raise GpuEstimateError("no card is open")
    return found


class _StreamContext:
    def __init__(self, stream: Optional[Stream]) -> None:
        self._stream = stream

    def __enter__(self) -> None:
        if self._stream is not None:
            self._stream.__enter__()

    def __exit__(self, *_: Any) -> None:
        if self._stream is not None:
            self._stream.__exit__()


class _Counts(Dict[str, int]):
    """Statistics that the allocator of the card does not keep are 0."""

    def __missing__(self, key: str) -> int:
        return 0


class _NoDevice:
    """torch.cuda.device(...): there is one."""

    def __init__(self, device: Any = None) -> None:
        number = getattr(device, "index", device)
        if isinstance(number, str):
            number = torch.device(number).index
        if isinstance(number, int) and number > 0:
            raise RuntimeError("CUDA error: invalid device ordinal")

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> None:
        pass


def properties(facts: Dict[str, Any]) -> SimpleNamespace:
    """torch.cuda.get_device_properties()."""
    return SimpleNamespace(
        name=facts["name"], major=facts["major"], minor=facts["minor"],
        total_memory=facts["global_bytes"],
        multi_processor_count=facts["multiprocessors"],
        max_threads_per_multi_processor=facts["max_threads_per_sm"],
        max_threads_per_block=facts["max_threads_per_block"],
        warp_size=facts["warp_size"], regs_per_multiprocessor=facts[
            "registers_per_sm"],
        shared_memory_per_block=facts["shared_bytes_per_block"],
        shared_memory_per_block_optin=facts["shared_bytes_per_block_opt_in"],
        shared_memory_per_multiprocessor=facts["shared_bytes_per_sm"],
        L2_cache_size=facts["l2_bytes"], is_integrated=0, is_multi_gpu_board=0,
        gcnArchName=facts["arch"], uuid="gpu-estimate", pci_bus_id=0)


def _replacements(owner: CardDevice) -> List[Tuple[Any, str, Any]]:
    facts = owner.card.facts
    memory = owner.allocator
    default = _DefaultStream()
    of_device = properties(facts)
    cuda = torch.cuda
    random = torch.default_generator

    def ordinal(device: Any = None) -> None:
        _NoDevice(device)

    def synchronize(device: Any = None) -> None:
        owner.compiler.settle()
        owner.card.synchronize()
        owner.unjoined_streams.clear()

    def set_stream(stream: Stream) -> None:
        owner.compiler.settle()
        owner.stream = stream if stream is not None and stream.handle else None

    def per_process(fraction: float, device: Any = None) -> None:
        memory.fraction = fraction

    def stats(device: Any = None) -> Dict[str, int]:
        return _Counts(memory.stats())

    def no_history(*_: Any, **__: Any) -> None:
        owner.notice("the history of the memory is not recorded: "
                     "card.pytorch.memory_over_time() has it")

    values = {
        "is_available": lambda: True, "device_count": lambda: 1,
        "is_initialized": lambda: True, "init": lambda: None,
        "_lazy_init": lambda: None, "_lazy_call": lambda call, **_: None,
        "current_device": lambda: 0, "set_device": ordinal,
        "get_device_name": lambda device=None: facts["name"],
        "get_device_capability": lambda device=None: (facts["major"],
                                                      facts["minor"]),
        "get_device_properties": lambda device=None: of_device,
        "get_arch_list": lambda: [facts["arch"]],
        "is_bf16_supported": lambda including_emulation=True:
            facts["major"] >= 8 or facts["amd"] or including_emulation,
        "synchronize": synchronize, "Stream": Stream, "Event": Event,
        "current_stream": lambda device=None: owner.stream or default,
        "default_stream": lambda device=None: default,
        "stream": _StreamContext, "set_stream": set_stream, "device": _NoDevice,
        "_exchange_device": lambda device: 0,
        "_maybe_exchange_device": lambda device: 0,
        # One generator serves the CPU and the card, so that results are those of a run
        # on the CPU.
        "manual_seed": random.manual_seed, "manual_seed_all": random.manual_seed,
        "seed": random.seed, "seed_all": random.seed,
        "initial_seed": random.initial_seed, "default_generators": (random,),
        "get_rng_state": lambda device="cuda": random.get_state(),
        "set_rng_state": lambda state, device="cuda": random.set_state(state),
        "get_rng_state_all": lambda: [random.get_state()],
        "set_rng_state_all": lambda states: random.set_state(states[0]),
        "memory_allocated": lambda device=None: memory.allocated_bytes.current,
        "max_memory_allocated": lambda device=None: memory.allocated_bytes.peak,
        "memory_reserved": lambda device=None: memory.reserved_bytes.current,
        "max_memory_reserved": lambda device=None: memory.reserved_bytes.peak,
        "memory_stats": stats, "empty_cache": memory.empty_cache,
        "reset_peak_memory_stats": lambda device=None: memory.reset_peaks(),
        "reset_max_memory_allocated": lambda device=None: memory.reset_peaks(),
        "reset_max_memory_cached": lambda device=None: memory.reset_peaks(),
        "reset_accumulated_memory_stats": lambda device=None: None,
        "mem_get_info": lambda device=None: (
            memory.capacity - memory.reserved_bytes.current,
            facts["global_bytes"]),
        "set_per_process_memory_fraction": per_process,
        "ipc_collect": lambda: None,
        "_sleep": lambda cycles: None,
    }
    found: List[Tuple[Any, str, Any]] = [
        (cuda, name, value) for name, value in values.items()]
    for name in ("memory_allocated", "max_memory_allocated", "memory_reserved",
                 "max_memory_reserved", "memory_stats", "empty_cache",
                 "reset_peak_memory_stats", "mem_get_info"):
        found.append((cuda.memory, name, values[name]))
    for name in ("_record_memory_history", "_dump_snapshot"):
        found.append((cuda.memory, name, no_history))
    found.append((cuda.memory, "_snapshot", lambda *_, **__: {"segments": [],
                                                              "device_traces": []}))
    found.append((cuda.memory, "memory_snapshot", lambda *_, **__: []))
    # Layers of the transformer have a fast path for inference without autograd.
    found.append((torch.backends.mha, "get_fastpath_enabled", lambda: False))
    for name in ("get_rng_state", "set_rng_state", "manual_seed",
                 "manual_seed_all"):
        found.append((cuda.random, name, values[name]))
    found += accelerator.replacements(values) + graphs.replacements(owner)
    found += parallel.replacements() + legacy.replacements()
    found += legacy.of_any_device(Stream, Event)
    for name in ("range_push", "range_pop", "mark"):
        found.append((cuda.nvtx, name, lambda *_, **__: None))
    found.append((torch, "compile", owner.compiler.compile))
    # Recurrent layers do not lay out their weights for cuDNN.
    found.append((torch.backends.cudnn, "is_acceptable", lambda tensor: False))
    return found


_MISSING = object()


@contextlib.contextmanager
def replaced(owner: CardDevice) -> Iterator[None]:
    """torch.cuda answers for the card."""
    before = []
    for place, name, value in _replacements(owner):
        before.append((place, name, getattr(place, name, _MISSING)))
        setattr(place, name, value)
    try:
        with extension.replaced():
            yield
    finally:
        for place, name, value in reversed(before):
            if value is _MISSING:
                delattr(place, name)
            else:
                setattr(place, name, value)
