"""A driver of Triton whose device is a card of gpu-estimate.

Triton asks its active driver for the target, for the module of a compiled
kernel, and for a launcher. This one loads the PTX in place of the machine code
into the runtime library, and launches there.
"""

from __future__ import annotations

import contextlib
import itertools
import struct
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import triton
from triton.backends.driver import DriverBase
from triton.runtime import driver as driver_config
from triton.runtime import jit

from .. import runtime
from ..arrays import Memory, memory_of
from ..cards import Card
from ..service import GpuEstimateError
from .compiling import registers_of
from .target import Card as Target

# Triton keeps what it has compiled by the number of the device, and every card
# has one of its own.
_numbers = itertools.count(1 << 20)

_FORMATS = {"i1": "?", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u1": "?",
            "u8": "B", "u16": "H", "u32": "I", "u64": "Q", "fp16": "e",
            "fp32": "f", "f32": "f", "fp64": "d"}

_MAX_REGISTERS = 65536  # of a multiprocessor, where the card does not tell


def packed(kind: str, value: Any) -> bytes:
    """
    >>> packed("i32", -1), packed("fp32", 1.0), packed("bf16", 1.0)
    (b'\\xff\\xff\\xff\\xff', b'\\x00\\x00\\x80?', b'\\x80?')
    """
    if kind == "bf16":  # rounded to the nearest even number
        bits, = struct.unpack("<I", struct.pack("<f", value))
        return struct.pack("<H", (bits + 0x7fff + (bits >> 16 & 1)) >> 16)
    if kind not in _FORMATS:
        raise GpuEstimateError(f"an argument of type '{kind}' has no form here")
    try:
        return struct.pack("<" + _FORMATS[kind], value)
    except struct.error as problem:
        raise GpuEstimateError(f"{value!r} is no {kind}: {problem}") from None


class _Array:
    """An array as Triton's compiler looks at arguments."""

    def __init__(self, memory: Memory) -> None:
        self._address = memory.address
        self.dtype = memory.dtype

    def data_ptr(self) -> int:
        return self._address


def _specialize(backend: Any, argument: Any, *options: Any) -> Any:
    if not hasattr(argument, "data_ptr") and not isinstance(argument, tuple):
        memory = memory_of(argument)
        if memory is not None:
            argument = _Array(memory)
    return _native_specialize(backend, argument, *options)


_native_specialize = jit.native_specialize_impl


class _Utilities:
    """What Triton asks a driver for besides launches."""

    def __init__(self, driver: "CardDriver") -> None:
        self._driver = driver

    def get_device_properties(self, device: int) -> Dict[str, Any]:
        facts = self._driver.card.facts
        return {"max_shared_mem": facts["shared_bytes_per_block_opt_in"],
                "max_num_regs": facts.get("registers_per_sm", _MAX_REGISTERS),
                "multiprocessor_count": facts["multiprocessors"],
                "warpSize": facts["warp_size"],
                "sm_clock_rate": int(facts["core_clock_hz"] / 1e3),
                "mem_clock_rate": int(facts["memory_clock_hz"] / 1e3),
                "mem_bus_width": facts["memory_bus_bits"]}

    def load_binary(self, name: str, kernel: Any, shared: int,
                    device: int) -> Tuple[Any, ...]:
        """The module, the kernel, registers, spilled bytes, largest block. The
        launcher has loaded the PTX."""
        registers = registers_of(kernel) if isinstance(kernel, bytes) else None
        return (None, name, registers or 0, 0,
                self._driver.card.facts["max_threads_per_block"])

    def unload_module(self, module: Any) -> None:
        pass

    def get_current_device(self) -> int:
        return self._driver.number

    def set_current_device(self, device: int) -> None:
        pass


class _Launcher:
    """Launches one compiled kernel; Triton makes it of source and metadata."""

    def __init__(self, source: Any, metadata: Any) -> None:
        driver = driver_config.active
        self._card = driver.card
        self._threads = metadata.num_warps * metadata.warp_size
        self._clusters = getattr(metadata, "num_ctas", 1)
        self._shared = metadata.shared
        self._scratch = [getattr(metadata, f"{kind}_scratch_size", 0) or 0
                         for kind in ("global", "profile")]
        self._kinds = list(source.signature.values())
        self._names = list(source.signature)
        self._maps = list(getattr(metadata, "tensordesc_meta", None) or [])
        self._function = driver.load(metadata)

    def __call__(self, x: int, y: int, z: int, stream: Any, function: Any,
                 packed_metadata: Any, launch_metadata: Any, enter: Any,
                 leave: Any, *arguments: Any) -> None:
        if x * y * z == 0:
            return
        if enter is not None:
            enter(launch_metadata)
        # The launcher of a real driver is compiled.
        with self._card.holding():
            self._launch(x, y, z, arguments)
        if leave is not None:
            leave(launch_metadata)

    def _launch(self, x: int, y: int, z: int, arguments: Sequence[Any]) -> None:
        words: List[Any] = []
        self._touched: List[Memory] = []
        maps = iter(self._maps)
        for name, kind, value in zip(self._names, self._kinds, arguments):
            self._add(name, kind, value, maps, words)
        # The compiler adds pointers to scratch memory behind the arguments.
        blocks = x * y * z * self._clusters
        scratch = []
        for size in self._scratch[:len(self._function.parameter_bytes) -
                                  len(words)]:
            place = runtime.library().gpu_estimate_allocate(size * blocks) \
                if size else 0
            scratch.append(place)
            words.append(packed("u64", place))
        if len(words) != len(self._function.parameter_bytes):
            raise GpuEstimateError(
                f"'{self._function.name}' has "
                f"{len(self._function.parameter_bytes)} parameters, and this "
                f"version of Triton ({triton.__version__}) passes {len(words)}")
        try:
            self._card.launch(self._function, (x * self._clusters, y, z),
                              self._threads, self._shared, words,
                              self._touched)
        finally:
            for place in scratch:
                if place:
                    runtime.library().gpu_estimate_release(place)

    def _add(self, name: str, kind: Any, value: Any, maps: Iterator[Any],
             words: List[Any]) -> None:
        if isinstance(kind, tuple):
            for part, of in zip(kind, value):
                self._add(name, part, of, maps, words)
        elif kind == "constexpr":
            return
        elif kind.startswith("tensordesc"):
            self._add_descriptor(value, next(maps, None), words)
        elif kind.startswith("*"):
            words.append(self._pointer(name, value))
        else:
            words.append(packed(kind, value))

    def _pointer(self, name: str, value: Any) -> Any:
        if value is None:
            return packed("u64", 0)
        try:
            memory = memory_of(value)
        except TypeError as problem:
            raise GpuEstimateError(f"argument '{name}' of "
                                   f"'{self._function.name}': {problem}") from None
        if memory is not None:
            return memory
        if isinstance(value, int):
            return packed("u64", value)
        if hasattr(value, "base"):  # triton.reinterpret()
            return self._pointer(name, value.base)
        raise GpuEstimateError(
            f"argument '{name}' of '{self._function.name}' is a "
            f"{type(value).__name__}: a pointer is an array")

    def _add_descriptor(self, value: Any, meta: Any, words: List[Any]) -> None:
        """A TensorDescriptor: a map for the copy engine, or, where the target
        has none, its parts; then shape and strides."""
        shape = [packed("i32", n) for n in value.shape]
        strides = [packed("i64", n) for n in value.strides]
        base = memory_of(value.base)
        if base is None:
            raise GpuEstimateError("the base of a TensorDescriptor is no array")
        if meta is not None:
            self._touched.append(base)
            words.append(_tensor_map(self._card.address_of(base), value, meta))
            words += [*shape, *strides]
            return
        words += [base, *(packed("i64", n) for n in value.shape), *strides,
                  packed("i1", getattr(value, "padding", "") == "nan"),
                  packed("i1", bool(getattr(value, "round_f32_to_tf32", False))),
                  *shape, *strides]


# Numbers of CUtensorMapDataType for those that Triton's metadata has.
_MAP_TYPES = {8: 10, 9: 8, 10: 9}


def _tensor_map(address: int, value: Any, meta: Dict[str, Any]) -> bytes:
    """The 128 bytes of a CUtensorMap. Its axes are from the innermost on."""
    import ctypes
    if meta.get("is_im2col"):
        raise GpuEstimateError("a TensorDescriptor of images (im2col) does not "
                               "execute")
    size = meta["elem_size"]
    shape = list(value.shape)
    if meta.get("fp4_padded"):
        shape[-1] *= 2
    count = len(shape)
    place = ctypes.create_string_buffer(128 + 64)
    aligned = (ctypes.addressof(place) + 63) // 64 * 64
    pitches = [stride * size for stride in value.strides[:-1]]
    kind = meta["elem_type"]
    code = runtime.library().cuTensorMapEncodeTiled(
        aligned, _MAP_TYPES.get(kind, kind), count, address,
        (ctypes.c_uint64 * count)(*reversed(shape)),
        (ctypes.c_uint64 * max(1, count - 1))(*reversed(pitches)),
        (ctypes.c_uint32 * count)(*reversed(meta["block_size"])),
        (ctypes.c_uint32 * count)(*[1] * count), 0, meta["swizzle"], 0,
        int(getattr(value, "padding", "") == "nan"))
    runtime.check(code, "a TensorDescriptor")
    return ctypes.string_at(aligned, 128)


class _Interface:
    """The part of torch.cuda that Triton uses."""

    Event = runtime.Event

    def __init__(self, driver: "CardDriver") -> None:
        self._driver = driver

    def synchronize(self, device: Any = None) -> None:
        self._driver.card.synchronize()

    def current_device(self) -> int:
        return self._driver.number

    def current_stream(self, device: Any = None) -> Any:
        return self

    cuda_stream = 0


class CardDriver(DriverBase):
    """The driver that is active inside `with gpu_estimate.card(...)`."""

    launcher_cls = _Launcher

    def __init__(self, card: Card) -> None:
        super().__init__()
        self.card = card
        facts = card.facts
        arch = (facts["arch"] if facts["amd"] else
                f"sm_{10 * facts['major'] + facts['minor']}")
        self.target = Target(card.name, card.name, arch, facts["warp_size"])
        self.number = next(_numbers)
        self.utils = _Utilities(self)

    def load(self, metadata: Any) -> runtime.Function:
        """The kernel that Triton has compiled, in the runtime library."""
        from triton.runtime.cache import get_cache_manager
        name = metadata.name
        group = get_cache_manager(metadata.hash).get_group(
            f"{name[:150]}.json") or {}
        paths = {file.rpartition(".")[2]: Path(path)
                 for file, path in group.items()}
        ending = "llir" if self.target.is_amd else "ptx"
        if ending not in paths:
            raise GpuEstimateError(
                f"Triton's cache has no {ending} of '{name}': is "
                "TRITON_STORE_BINARY_ONLY set?")
        function = runtime.Function(paths[ending].read_bytes(), name)
        if "cubin" in paths:
            registers = registers_of(paths["cubin"].read_bytes())
            if registers:
                runtime.library().gpu_estimate_set_registers(function.handle,
                                                             registers)
        return function

    @classmethod
    def is_active(cls) -> bool:
        return True

    def get_current_target(self) -> Any:
        return self.target.target()

    def get_current_device(self) -> int:
        return self.number

    def set_current_device(self, device: int) -> None:
        pass

    def get_current_stream(self, device: Any = None) -> int:
        return 0

    def get_device_capability(self, device: Any = None) -> Tuple[int, int]:
        return self.card.facts["major"], self.card.facts["minor"]

    def get_device_interface(self) -> _Interface:
        return _Interface(self)

    def get_active_torch_device(self) -> Any:
        import torch
        from ..pytorch import device
        return torch.device("cuda", 0) if device.current() else torch.device("cpu")

    def map_python_to_cpp_type(self, kind: str) -> str:
        return kind

    def assemble_tensormap_to_arg(self, _: Any, arguments: Any) -> Any:
        return arguments

    def get_benchmarker(self) -> Any:
        """What @triton.autotune measures with. The results of the launches are
        not looked at: none of them executes."""

        def benchmark(kernel_call: Any, *, quantiles: Any = None,
                      **options: Any) -> Any:
            with self.card.executing("none"):
                return self.card.do_bench(kernel_call, quantiles=quantiles,
                                          **options)

        return benchmark

    def get_empty_cache_for_benchmark(self) -> None:
        return None

    def clear_cache(self, cache: Any) -> None:
        runtime.library().gpu_estimate_clear_cache()


@contextlib.contextmanager
def installed(card: Card) -> Iterator[CardDriver]:
    """Triton launches on the card."""
    import triton.testing
    driver = CardDriver(card)
    before = driver_config._active
    names = ("do_bench", "do_bench_cudagraph")
    benchmarks = {name: getattr(triton.testing, name) for name in names
                  if hasattr(triton.testing, name)}
    driver_config.set_active(driver)
    jit.native_specialize_impl = _specialize
    for name in benchmarks:
        setattr(triton.testing, name, card.do_bench)
    try:
        yield driver
    finally:
        driver_config._active = before
        jit.native_specialize_impl = _native_specialize
        for name, function in benchmarks.items():
            setattr(triton.testing, name, function)


class _NoCard:
    """Stands for a card where kernels are only compiled."""

    def __init__(self, target: Target) -> None:
        self.name, self.execute = target.name, "none"
        self.facts = {
            "name": target.name, "amd": target.is_amd, "arch": target.arch,
            "major": target.capability // 10, "minor": target.capability % 10,
            "warp_size": target.warp_size, "multiprocessors": 1,
            "max_threads_per_block": 1024, "shared_bytes_per_block_opt_in": 0,
            "core_clock_hz": 0, "memory_clock_hz": 0, "memory_bus_bits": 0}

    def launch(self, *_: Any) -> None:
        raise GpuEstimateError("a kernel is launched while the file is read")

    synchronize = event = do_bench = launch


@contextlib.contextmanager
def only_compiles(target: Target) -> Iterator[CardDriver]:
    """Triton compiles for the target; a launch is an error."""
    with installed(_NoCard(target)) as driver:  # type: ignore[arg-type]
        yield driver
