"""torch.utils.cpp_extension.load_inline() and load() for a card: the sources are
built by `gpu-estimate cc --run`, against headers that stand for PyTorch's
(cuda-headers/pytorch-run), and their kernels launch on the modelled card."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import types
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Union

import torch

from .. import _installation, runtime
from ..arrays import memory_of
from ..service import GpuEstimateError
from . import functions, host_costs

_MAX_DIMS = 12
_NONE, _TENSOR, _INTEGER, _REAL, _BOOLEAN, _LIST, _TEXT, _TENSORS = range(8)
_TYPES = {torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3,
          torch.int64: 4, torch.float16: 5, torch.float32: 6, torch.float64: 7,
          torch.bool: 11, torch.bfloat16: 15}
_DTYPES = {number: kind for kind, number in _TYPES.items()}


class _Value(ctypes.Structure):
    """GpuEstimateValue of gpu_estimate_pytorch_run.h."""

    _fields_ = [("kind", ctypes.c_int32), ("type", ctypes.c_int32),
                ("integer", ctypes.c_int64), ("real", ctypes.c_double),
                ("data", ctypes.c_void_p), ("dims", ctypes.c_int32),
                ("is_on_card", ctypes.c_int32),
                ("sizes", ctypes.c_int64 * _MAX_DIMS),
                ("strides", ctypes.c_int64 * _MAX_DIMS)]


_PERFORM = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(_Value),
                            ctypes.c_int, ctypes.POINTER(_Value), ctypes.c_void_p,
                            ctypes.c_int)
_FORGET = ctypes.CFUNCTYPE(None, ctypes.c_int64)
_RESULTS = 64


class Extension:
    """A module whose functions take and give tensors of the card."""

    def __init__(self, owner: Any, library: Path) -> None:
        self._owner = owner
        self._card = owner.card
        # A copy, which no other card has loaded: kernels register when a library is
        # loaded, for the run of that time.
        with tempfile.NamedTemporaryFile(suffix=".so") as own:
            own.write(library.read_bytes())
            own.flush()
            self._library = ctypes.CDLL(own.name, mode=runtime.LOADING)
        self._table: Dict[int, torch.Tensor] = {}
        self._next = 0
        self._mirrors: Dict[int, Any] = {}
        self._perform = _PERFORM(self._do)
        self._forget = _FORGET(self._drop)
        lib = self._library
        lib.gpu_estimate_extension_name.restype = ctypes.c_char_p
        lib.gpu_estimate_extension_begin(self._perform, self._forget)
        number = 0
        while True:
            name = lib.gpu_estimate_extension_name(number)
            if name is None:
                break
            setattr(self, name.decode(), self._function(name.decode(), number))
            number += 1

    def _drop(self, number: int) -> None:
        self._table.pop(number, None)

    def _function(self, name: str, number: int) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            # Keyword arguments have the order of the call.
            return self._call(name, number, [*args, *kwargs.values()])
        call.__name__ = name
        return call

    def _call(self, name: str, number: int, args: Sequence[Any]) -> Any:
        if self._owner.capture is not None:
            raise GpuEstimateError(f"{name}(): kernels of extensions are not captured "
                                   "into CUDA graphs")
        values: List[_Value] = []
        kept: List[Any] = []
        for argument in args:
            self._append(argument, values, kept)
        self._owner.host_work(host_costs.FORWARD_NS)
        given = (_Value * max(1, len(values)))(*values)
        results = (_Value * _RESULTS)()
        problem = ctypes.create_string_buffer(1024)
        self._to_card()
        count = self._library.gpu_estimate_extension_call(
            number, given, len(values), results, _RESULTS, problem, 1024)
        self._from_card()
        self._owner.attribute_launches(f"{name} (CUDA extension)")
        try:
            if count < 0:
                raise RuntimeError(problem.value.decode(errors="replace"))
            fault = runtime.library().gpu_estimate_problem().decode()
            if fault:
                raise GpuEstimateError(fault)
            found = iter(results[:count])
            made = [self._result(value, found) for value in found]
        finally:
            self._library.gpu_estimate_extension_taken()
            self._mirrors.clear()
        return made[0] if len(made) == 1 else None if not made else tuple(made)

    def _result(self, value: _Value, rest: Any) -> Any:
        if value.kind == _TENSORS:
            return [self._result(next(rest), rest) for _ in range(value.dims)]
        if value.kind == _TENSOR:
            return self._table[value.integer]
        if value.kind == _REAL:
            return value.real
        if value.kind == _BOOLEAN:
            return bool(value.integer)
        return value.integer if value.kind == _INTEGER else None

    def _append(self, argument: Any, values: List[_Value], kept: List[Any]) -> None:
        value = _Value()
        if isinstance(argument, torch.Tensor):
            value = self._tensor(argument)
        elif isinstance(argument, bool):
            value.kind, value.integer = _BOOLEAN, int(argument)
        elif isinstance(argument, int):
            value.kind, value.integer = _INTEGER, argument
        elif isinstance(argument, float):
            value.kind, value.real = _REAL, argument
        elif isinstance(argument, str):
            text = ctypes.create_string_buffer(argument.encode())
            kept.append(text)
            value.kind, value.data = _TEXT, ctypes.addressof(text)
        elif isinstance(argument, (list, tuple, torch.Size)):
            if any(isinstance(part, torch.Tensor) for part in argument):
                value.kind, value.dims = _TENSORS, len(argument)
                values.append(value)
                for part in argument:
                    self._append(part, values, kept)
                return
            value.kind, value.dims = _LIST, len(argument)
            for place, part in enumerate(argument[:_MAX_DIMS]):
                value.sizes[place] = part
        elif argument is not None:
            raise TypeError(f"incompatible function arguments: {type(argument)}")
        values.append(value)

    def _tensor(self, tensor: torch.Tensor) -> _Value:
        tensor = tensor.detach()
        number = self._next
        self._next += 1
        self._table[number] = tensor
        value = _Value()
        value.kind, value.integer = _TENSOR, number
        value.type = _TYPES.get(tensor.dtype, -1)
        value.dims = tensor.dim()
        for axis in range(tensor.dim()):
            value.sizes[axis] = tensor.shape[axis]
            value.strides[axis] = tensor.stride(axis)
        value.is_on_card = int(functions.is_on_card(tensor))
        if not value.is_on_card:
            value.data = tensor.data_ptr()
        elif tensor.numel():
            memory = memory_of(tensor)
            assert memory is not None
            mirror = self._card._mirror(memory)
            if mirror.first not in self._mirrors:
                # With the tensor, whose memory lives as long as the call.
                self._mirrors[mirror.first] = mirror, tensor
                if self._owner.executes:
                    mirror.write()
            value.data = mirror.device + memory.address - mirror.first
        return value

    def _to_card(self) -> None:
        if self._owner.executes:
            for mirror, _ in self._mirrors.values():
                mirror.write()

    def _from_card(self) -> None:
        if self._owner.executes:
            for mirror, _ in self._mirrors.values():
                mirror.read()

    def _do(self, name: bytes, arguments: Any, count: int, result: Any, problem: int,
            room: int) -> int:
        """What the extension asks of PyTorch."""
        try:
            self._owner.attribute_launches("CUDA extension")
            self._from_card()
            made = self._asked(name.decode(), [arguments[i] for i in range(count)])
            if name == b"item":
                result[0].real = float(made)
            else:
                result[0] = self._tensor(made)
            self._to_card()
            return 0
        except Exception as error:  # becomes one of C++
            text = f"{name.decode()}: {error}".encode()[:room - 1] + b"\0"
            ctypes.memmove(problem, text, len(text))
            return 1

    def _asked(self, name: str, values: List[_Value]) -> Any:
        options = next((v for v in values if v.kind == _NONE), None)
        kind = _DTYPES.get(options.type, torch.float32) if options else None
        place = functions.CARD if options is not None and options.is_on_card \
            else torch.device("cpu")
        plain = [self._python(v) for v in values if v.kind != _NONE]
        if name in ("empty", "zeros", "ones", "full"):
            return getattr(torch, name)(*plain, dtype=kind, device=place)
        if name == "to":
            return plain[0].to(kind)
        if name.endswith("_like"):
            return getattr(torch, name)(plain[0])
        method = getattr(torch.Tensor, name, None) or getattr(torch, name)
        return method(*plain)

    def _python(self, value: _Value) -> Any:
        if value.kind == _TENSOR:
            return self._table[value.integer]
        if value.kind == _LIST:
            return list(value.sizes[:value.dims])
        if value.kind == _REAL:
            return value.real
        return bool(value.integer) if value.kind == _BOOLEAN else value.integer


Sources = Union[str, Sequence[str], None]


def _texts(sources: Sources) -> List[str]:
    if sources is None:
        return []
    return [sources] if isinstance(sources, str) else list(sources)


def load_inline(name: str, cpp_sources: Sources = None, cuda_sources: Sources = None,
                functions: Any = None, extra_cflags: Sequence[str] = (),
                extra_cuda_cflags: Sequence[str] = (), **_: Any) -> Extension:
    """torch.utils.cpp_extension.load_inline()."""
    parts = ["#include <torch/extension.h>"]
    for text in (*_texts(cpp_sources), *_texts(cuda_sources)):
        parts.append(text)
    if functions is not None:
        named = functions if isinstance(functions, dict) else dict.fromkeys(
            [functions] if isinstance(functions, str) else functions, "")
        parts.append("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {")
        parts += [f'  m.def("{one}", &{one});' for one in named]
        parts.append("}")
    return _built(name, "\n".join(parts) + "\n",
                  [*(extra_cuda_cflags or ())], None)


def load(name: str, sources: Sources, extra_cflags: Sequence[str] = (),
         extra_cuda_cflags: Sequence[str] = (), extra_include_paths: Any = (),
         **_: Any) -> Extension:
    """torch.utils.cpp_extension.load()."""
    files = [Path(file).resolve() for file in _texts(sources)]
    text = "#include <torch/extension.h>\n" + "".join(
        f'#include "{file}"\n' for file in files)
    flags = [*(extra_cuda_cflags or ()),
             *(f"-I{path}" for path in extra_include_paths or ())]
    stamp = "".join(file.read_text() for file in files)
    return _built(name, text, flags, stamp)


def _built(name: str, text: str, flags: List[str], stamp: Optional[str]) -> Extension:
    from .device import current
    owner = current()
    if owner is None:
        raise GpuEstimateError("an extension is built for a card: call load_inline "
                               "inside `with gpu_estimate.card(...)`")
    is_fast = any(flag.endswith("use_fast_math") for flag in flags)
    flags = [flag for flag in flags if re.match(r"-[DIO]|-std=", flag)]
    if is_fast:
        flags += ["-fcuda-approx-transcendentals", "-fgpu-flush-denormals-to-zero"]
    key = hashlib.sha256("\0".join(
        [text, stamp or "", *flags, owner.card.facts["arch"]]).encode()).hexdigest()
    folder = Path(os.environ.get("GPU_ESTIMATE_EXTENSIONS") or
                  Path(tempfile.gettempdir()) / f"gpu-estimate-extensions-{os.getuid()}")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    library = folder / f"{re.sub(r'[^A-Za-z0-9_]', '_', name)}-{key[:16]}.so"
    if not library.exists():
        _compile(name, text, flags, library, owner.card.facts)
    return Extension(owner, library)


def _compile(name: str, text: str, flags: List[str], library: Path,
             facts: Dict[str, Any]) -> None:
    """Raises what the compiler says, as torch does."""
    with tempfile.TemporaryDirectory(prefix="gpu-estimate-extension") as folder:
        source = Path(folder) / f"{name}.cu"
        source.write_text(text)
        made = Path(folder) / "made.so"
        words = [_installation.command(), "cc", "--run", "clang++", "-shared",
                 "-fPIC", "-std=c++17", "-O2",
                 f"--cuda-gpu-arch=sm_{facts['major']}{facts['minor']}",
                 f"-DTORCH_EXTENSION_NAME={name}",
                 f"-I{_headers() / 'pytorch-run'}", *flags, str(source), "-o",
                 str(made)]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode or not made.exists():
            raise RuntimeError(f"Error building extension '{name}':\n"
                               f"{done.stderr or done.stdout}")
        os.replace(made, library) if made.stat().st_dev == library.parent.stat(
            ).st_dev else library.write_bytes(made.read_bytes())


def _headers() -> Path:
    """cuda-headers of the sources, or of the installed tree."""
    here = Path(__file__).resolve()
    for parent in here.parents:
        for place in (parent / "cuda-headers", parent / "share" / "gpu-estimate" /
                      "cuda-headers"):
            if (place / "pytorch-run").is_dir():
                return place
    prefix = Path(_installation.runtime_library()).resolve()
    for parent in prefix.parents:
        place = parent / "share" / "gpu-estimate" / "cuda-headers"
        if place.is_dir():
            return place
    raise GpuEstimateError("no cuda-headers/pytorch-run is installed with this "
                           "gpu-estimate")


@contextlib.contextmanager
def replaced() -> Iterator[None]:
    """torch.utils.cpp_extension builds for the card. The module itself is not imported,
    which takes long and looks for CUDA."""
    name = "torch.utils.cpp_extension"
    before = sys.modules.get(name)
    if before is not None:
        kept = before.load_inline, before.load
        before.load_inline, before.load = load_inline, load
        try:
            yield
        finally:
            before.load_inline, before.load = kept
        return
    module = types.ModuleType(name)
    module.__dict__.update(load_inline=load_inline, load=load,
                           CUDA_HOME="/usr/local/cuda")
    sys.modules[name] = module
    torch.utils.cpp_extension = module  # type: ignore[attr-defined]
    try:
        yield
    finally:
        del sys.modules[name]
        del torch.utils.cpp_extension
