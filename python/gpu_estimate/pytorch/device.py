"""Tensors of the modelled card, and what every operation on them does.

A tensor on "cuda" is a CardTensor: what torch sees has the device "cuda:0", and
inside is a tensor on the CPU, or one without data (on "meta") if nothing is to be
executed. Autograd, autocast and optimisers of torch see a device like any
other. Each operation that reaches the device
- takes the host the time of its dispatch (host_costs.py),
- launches the kernels that prices.py says, on the time line of the card,
- takes its results from the caching allocator of the card (allocator.py),
- and is done on the inside.
"""

from __future__ import annotations

import ctypes
import weakref
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._mode_utils import no_dispatch
from torch.utils._python_dispatch import TorchDispatchMode

from .. import runtime
from ..service import GpuEstimateError
from . import (autocast, checkpoints, compiled, emulated, functions, host_costs,
               prices)
from .allocator import Block, CachingAllocator, OutOfMemory
from .prices import Flags, Kernel, TensorInfo
from .tensors import flat, info, infos, tensors_in

_TO_DEVICE, _TO_HOST = 0, 1  # RunCopyKind

# What a context of CUDA and the code of PyTorch, cuBLAS and cuDNN take of the
# memory before the first tensor. Assumed: nvidia-smi shows 450 to 550 MiB.
CONTEXT_BYTES = 500 << 20

_CARD = functions.CARD


class CardTensor(torch.Tensor):
    """A tensor on the modelled card; `_card_inner` has its data."""

    _card_inner: torch.Tensor

    @staticmethod
    def __new__(cls, inner: torch.Tensor) -> "CardTensor":
        # torch's C++ sees the device of `inner`, so that it looks for no driver,
        # and dispatches (autograd, autocast) as for CUDA.
        made = torch.Tensor._make_subclass(  # type: ignore[attr-defined]
            cls, inner, False, device_for_backend_keys=_CARD)
        made._card_inner = inner
        return made

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        return _CARD

    is_cuda = property(lambda self: True)  # type: ignore[assignment]
    is_cpu = property(lambda self: False)  # type: ignore[assignment]
    is_meta = property(lambda self: False)  # type: ignore[assignment]

    def get_device(self) -> int:
        return 0

    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (),
                           kwargs: Any = None) -> Any:
        if _open is None:
            raise GpuEstimateError(f"{func}: the card of this tensor is closed; "
                                   "move results to the CPU inside the `with` "
                                   "statement")
        return _open.dispatch(func, args, kwargs or {})

    def data_ptr(self) -> int:
        """The address on the modelled card."""
        return _open.address_of(self._card_inner) if _open else 0

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        if self._card_inner.device.type == "meta":
            return (f"tensor(..., device='cuda:0', size={tuple(self.shape)}, "
                    f"dtype={self.dtype})")
        text = repr(self._card_inner.detach())
        return text[:-1] + ", device='cuda:0')"

    def __deepcopy__(self, memo: Any) -> "CardTensor":
        if id(self) in memo:
            return memo[id(self)]
        with torch.no_grad():
            made = self.detach().clone()
        if isinstance(self, torch.nn.Parameter):
            made = torch.nn.Parameter(made, self.requires_grad)
        else:
            made.requires_grad_(self.requires_grad)
        memo[id(self)] = made
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        return checkpoints.reduced(self, protocol)

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if self.dim() == 0 else \
            object.__format__(self, spec)

    def tolist(self) -> Any:
        return self.detach().cpu().tolist()


def _parts(inner: torch.Tensor) -> Tuple[torch.Tensor, ...]:
    """The dense tensors that a sparse one consists of."""
    with torch._C._DisableTorchDispatch():  # type: ignore[attr-defined]
        if inner.layout == torch.sparse_coo:
            return inner._indices(), inner._values()
        if inner.layout in (torch.sparse_csr, torch.sparse_bsr):
            return inner.crow_indices(), inner.col_indices(), inner.values()
        if inner.layout in (torch.sparse_csc, torch.sparse_bsc):
            return inner.ccol_indices(), inner.row_indices(), inner.values()
    return (inner,)


_open: Optional["CardDevice"] = None
_TO_COPY = torch.ops.aten._to_copy.default
_SCALAR_TENSOR = torch.ops.aten.scalar_tensor.default


@dataclass
class Operation:
    """One operation of the program, in the order of the calls."""

    name: str  # "aten::mm"
    module: str  # "layers.0.attention (Attention)"; "" outside
    is_backward: bool
    shapes: str
    launches: int = 0  # kernels on the time line
    is_priced: bool = True


@dataclass
class _Prepared:
    """A kernel as the runtime library takes it."""

    kernel: Kernel
    arguments: Tuple[Any, ...]


@dataclass
class _Price:
    kernels: List[_Prepared] = field(default_factory=list)
    is_known: bool = True


_SMALL = 4096  # elements
# Operations whose result the host waits for.
_HOST_READS = {"aten::nonzero", "aten::masked_select", "aten::_unique2",
               "aten::unique_dim", "aten::equal", "aten::unique_consecutive",
               "aten::bincount"}
_TAKES_MASKS = {"aten::index", "aten::index_put", "aten::index_put_",
                "aten::_index_put_impl_"}
# Operations that give memory which nobody wrote.
_UNWRITTEN = {"aten::empty", "aten::empty_like", "aten::empty_strided",
              "aten::new_empty", "aten::new_empty_strided"}
# Tensors of the CPU that may stand among tensors of the card.
_TAKES_CPU = {"aten::index", "aten::index_put", "aten::index_put_",
              "aten::_index_put_impl_", "aten::_unsafe_index", "aten::copy_",
              "aten::_foreach_copy_", "aten::set_", "aten::_ctc_loss",
              "aten::_ctc_loss_backward"}


class CardDevice:
    """The card as the device of torch."""

    def __init__(self, card: Any) -> None:
        self.card = card
        self.executes = card.execute == "all"
        self.inner_device = torch.device("cpu" if self.executes else "meta")
        lib = runtime.library()
        self._lib = lib
        capacity = max(0, int(card.facts["global_bytes"]) - CONTEXT_BYTES)
        self.allocator = CachingAllocator(
            capacity, card.name, lib.gpu_estimate_device_malloc,
            lib.gpu_estimate_device_free)
        self.operations: List[Operation] = []
        # [launch] its operation, and its kernel's name, "" if the program launched
        # it without an operation.
        self.launched: List[Tuple[int, str]] = []
        self.work: List[Tuple[int, Kernel]] = []  # operation, kernel
        self.unpriced: Dict[str, int] = {}
        self.notices: Dict[str, int] = {}
        self.memory: List[Tuple[int, int]] = []  # (operation, bytes allocated)
        self.stream: Any = None  # of torch.cuda.stream()
        # Streams with work that neither the host nor the default stream has waited
        # for since.
        self.unjoined_streams: Set[int] = set()
        # Memory that nobody wrote holds NaN: a result that is only memory of an
        # earlier one is found.
        self.poisons = False
        self.module_types: Set[type] = set()  # that were called
        # A copy to the CPU is on its way. Other conversions to the inner device are
        # those of autograd, which knows tensors of the card by it.
        self.leaves_card = False
        self.capture: Any = None  # graphs.Capture of the graph that is captured
        # The function of torch that the program has called takes tensors of the card;
        # None outside of them, as in the backward pass.
        self.calls_card: Optional[bool] = None
        self.call_arguments: Tuple[Any, Any] = ((), {})
        self.compiler = compiled.Compiler(self)
        self._blocks: Dict[int, Tuple[Any, Optional[Block]]] = {}
        self._prices: Dict[Any, _Price] = {}
        self._plans: Dict[Any, _Plan] = {}
        self._prepared: Dict[Kernel, _Prepared] = {}
        self._modules: List[str] = []
        self._module_of_node: Dict[int, str] = {}
        self._pinned: Dict[int, Any] = {}  # by the address of the storage
        self._workspace_streams: Set[int] = set()
        self._launches_before = lib.gpu_estimate_launch_count()

    # --- Memory.

    def adopt(self, inner: torch.Tensor) -> None:
        """Gives the memory of a tensor a place on the card."""
        for part in _parts(inner):
            self._adopt_dense(part)

    def _adopt_dense(self, inner: torch.Tensor) -> None:
        storage = inner.untyped_storage()
        key = storage._cdata
        if key in self._blocks:
            return
        stream = self.stream.number if self.stream else 0
        try:
            block = self.allocator.allocate(storage.nbytes(), stream)
        except OutOfMemory as problem:
            raise torch.OutOfMemoryError(str(problem)) from None
        self._blocks[key] = (weakref.ref(
            storage, lambda _, key=key: self._release(key)), block)
        self.memory.append((len(self.operations),
                            self.allocator.allocated_bytes.current))

    def _release(self, key: int) -> None:
        found = self._blocks.pop(key, None)
        if found and _open is self:
            self.allocator.free(found[1])

    def address_of(self, inner: torch.Tensor) -> int:
        if inner.layout != torch.strided:
            return 0
        found = self._blocks.get(inner.untyped_storage()._cdata)
        if not found or found[1] is None:
            return 0
        return found[1].address + inner.storage_offset() * inner.element_size()

    def wrap(self, inner: torch.Tensor) -> CardTensor:
        self.adopt(inner)
        return CardTensor(inner)

    def pin(self, tensor: torch.Tensor) -> None:
        """The tensor of the CPU is in page-locked memory."""
        storage = tensor.untyped_storage()
        key = storage._cdata
        self._pinned[key] = weakref.ref(
            storage, lambda _, key=key: self._pinned.pop(key, None))

    def is_pinned(self, tensor: torch.Tensor) -> bool:
        return bool(self._pinned) and \
            tensor.untyped_storage()._cdata in self._pinned

    # --- The time line.

    def host_work(self, ns: float) -> None:
        self._lib.gpu_estimate_host_work(ns)

    def notice(self, text: str) -> None:
        self.notices[text] = self.notices.get(text, 0) + 1

    def copy(self, kind: int, size: int, is_async: bool, is_pinned: bool) -> None:
        if self.capture is not None:
            raise RuntimeError("CUDA error: operation not permitted when stream is "
                               "capturing (a copy between host and card)")
        self.compiler.settle()
        if size:
            self._lib.gpu_estimate_copy(kind, size, int(is_pinned), int(is_async),
                                        self._stream_handle())

    def _stream_handle(self) -> Any:
        return self.stream.handle if self.stream else None

    def launch(self, prepared: _Prepared) -> None:
        if self.capture is not None:
            self.capture.launch(prepared)
            return
        name, operands, results, compute, count, names, values = \
            prepared.arguments
        if self.stream:
            self.unjoined_streams.add(self.stream.number)
        for _ in range(prepared.kernel.count):
            if self._lib.gpu_estimate_library_call(
                    name, self._stream_handle(), operands, results, compute, count,
                    names, values):
                raise GpuEstimateError("a kernel on a stream that is gone")
            self.launched.append((len(self.operations) - 1, prepared.kernel.name))
        self.operations[-1].launches += prepared.kernel.count
        self.work.append((len(self.operations) - 1, prepared.kernel))

    def _prepare(self, kernel: Kernel) -> _Prepared:
        found = self._prepared.get(kernel)
        if found is None:
            count = len(kernel.sizes)
            names = (ctypes.c_char_p * count)(
                *(name.encode() for name, _ in kernel.sizes))
            values = (ctypes.c_double * count)(
                *(float(value) for _, value in kernel.sizes))
            found = _Prepared(kernel, (
                kernel.name.encode(), kernel.operands.encode(),
                kernel.results.encode(), kernel.compute.encode(), count, names,
                values))
            self._prepared[kernel] = found
        return found

    def attribute_launches(self, name: str, host_ns: float = 0.0) -> None:
        """Kernels that were launched without an operation since the last one, by
        Triton or an extension, become one of their own. host_ns: what it took the
        host beside its launches."""
        new = self._lib.gpu_estimate_launch_count() - len(self.launched) - \
            self._launches_before
        if new <= 0:
            return
        self.compiler.settle_backward()
        self.host_work(host_ns)
        module, is_backward = self._module()
        self.operations.append(Operation(name, module, is_backward, "", new))
        self.launched += [(len(self.operations) - 1, "")] * new

    # --- Modules.

    def enter_module(self, module: torch.nn.Module, names: Any) -> None:
        name = names.get(module) if names else None
        kind = type(module).__name__
        self.module_types.add(type(module))
        self._modules.append(f"{name} ({kind})" if name else kind)
        if self.compiler.region is None:
            self.host_work(host_costs.MODULE_NS)

    def leave_module(self) -> None:
        if self._modules:
            self._modules.pop()

    def _module(self) -> Tuple[str, bool]:
        """Where the program is, and whether on its way back."""
        node = torch._C._current_autograd_node()
        if node is not None:
            return self._module_of_node.get(node._sequence_nr(), ""), True
        module = self._modules[-1] if self._modules else ""
        if module and torch.is_grad_enabled():
            self._module_of_node[torch.autograd._get_sequence_nr() - 1] = module
        return module, False

    # --- Operations.

    def dispatch(self, func: Any, args: Sequence[Any],
                 kwargs: Dict[str, Any]) -> Any:
        found = _Arguments(self, func, args, kwargs)
        if func is _SCALAR_TENSOR and kwargs.get("device") == self.inner_device and \
                not self.executes:
            # The number of an assignment stays on the host, as for CUDA.
            return func(args[0], **{**kwargs, "device": torch.device("cpu")})
        if not found.is_on_card and func is _TO_COPY and not self.executes and \
                kwargs.get("device") == self.inner_device:
            # The gradient of a copy to the CPU comes back.
            kwargs = {**kwargs, "device": _CARD}
            found = _Arguments(self, func, args, kwargs)
        if not found.is_on_card and not found.plain and \
                kwargs.get("device") == self.inner_device and self._makes_for_card():
            kwargs = {**kwargs, "device": _CARD}
            found = _Arguments(self, func, args, kwargs)
        if not found.is_on_card:
            return self._on_cpu(func, args, kwargs, found)
        self.attribute_launches("kernel without an operation",
                                host_costs.FORWARD_NS)
        name = func._schema.name
        if name.startswith("c10d::"):
            return _collective(self, func, args, kwargs, found)
        special = _SPECIAL.get(name)
        if special is not None:
            if name not in ("aten::_to_copy", "aten::copy_"):
                self.compiler.settle()
            done = special(self, func, args, kwargs, found)
            if done is not NotImplemented:
                return done
        return self._perform(func, args, kwargs, found)

    def _makes_for_card(self) -> bool:
        """A function of torch in C++ makes a tensor beside its arguments, whose device
        it takes for the inner one. With data that is the CPU: in a backward pass it is
        not known whose such a tensor is, and tensors of both may meet there."""
        return not self.executes if self.calls_card is None else self.calls_card

    def _are_helpers(self, tensors: Sequence[torch.Tensor]) -> bool:
        """A function of torch in C++ has made them from an argument of the CPU, by
        .to(device) with the inner one: lengths of sequences, for example."""
        if not self.calls_card:
            return False
        args, kwargs = self.call_arguments
        given = {value.untyped_storage()._cdata for value in
                 flat([list(args), list(kwargs.values())])
                 if isinstance(value, torch.Tensor) and value.layout == torch.strided
                 and not functions.is_on_card(value)}
        return not any(t.untyped_storage()._cdata in given for t in tensors)

    def _on_cpu(self, func: Any, args: Sequence[Any], kwargs: Dict[str, Any],
                found: "_Arguments") -> Any:
        """The program's own work: as long as it takes here, but for small tensors,
        where that would be the time of this mode."""
        if all(tensor.numel() <= _SMALL for tensor in found.plain):
            self.host_work(host_costs.of(False, _is_view(func)))
            return func(*args, **kwargs)
        self._lib.gpu_estimate_go_on()
        try:
            return func(*args, **kwargs)
        finally:
            self._lib.gpu_estimate_hold()

    def _perform(self, func: Any, args: Sequence[Any], kwargs: Dict[str, Any],
                 found: "_Arguments") -> Any:
        name = func._schema.name
        if not self.executes and (name in _HOST_READS or name == "aten::index" and
                                  _waits_for_mask(name, found)):
            raise GpuEstimateError(
                f"{name}: the shape of its result depends on values, which do not "
                "exist with execute=\"none\": use execute=\"all\"")
        if found.cpu_tensors and name not in _TAKES_CPU and \
                torch._C._current_autograd_node() is None and \
                not self._are_helpers(found.cpu_tensors):
            raise RuntimeError(
                "Expected all tensors to be on the same device, but found at "
                f"least two devices, cuda:0 and cpu! (in {name})")
        for tensor in found.cpu_tensors:
            self.copy(_TO_DEVICE, tensor.numel() * tensor.element_size(), False,
                      False)
        if self.capture is not None and self.executes:
            self.capture.before(func, found)
        results = self._results(func, found)
        if self.poisons and self.executes and name in _UNWRITTEN and \
                results.is_floating_point():
            results.fill_(float("nan"))
        module, is_backward = self._module()
        is_view = _is_view(func)
        region = self.compiler.region_of_operation()
        if region is None:
            self.host_work(host_costs.of(is_backward, is_view))
        if torch.Tag.inplace_view in func.tags:
            with no_dispatch():
                func(*args, **kwargs)
        if is_view:
            return found.wrapped(results)
        self.operations.append(Operation(name, module, is_backward, found.shapes()))
        if self.capture is not None:
            self.capture.begin(self.operations[-1])
            if self.executes:
                self.capture.performed(func, found, results)
        wrapped = found.wrapped(results)
        self._launch_priced(func, found, results, region)
        if name in _HOST_READS or name in _TAKES_MASKS and _waits_for_mask(
                name, found):
            self.copy(_TO_HOST, 8, False, False)
        return wrapped

    def _results(self, func: Any, found: "_Arguments") -> Any:
        """Without data, results have the shapes of an earlier call with arguments of
        the same shapes: many of torch's functions for that are slow."""
        if not self.executes and any(
                value._card_inner.layout != torch.strided
                for value in found.outer.values()):
            return _sparse_results(func, found)
        if self.executes or _is_view(func):
            return emulated.perform(func, found.args, found.kwargs, self.executes)
        key = (func, found.key())
        plan = self._plans.get(key) if key[1] is not None else None
        if plan is not None:
            return plan.made(next(iter(found.outer.values()))._card_inner
                             if found.outer else None)
        results = emulated.perform(func, found.args, found.kwargs, False)
        if key[1] is not None:
            plan = _Plan.of(results, found)
            if plan is not None:
                self._plans[key] = plan
        return results

    def _launch_priced(self, func: Any, found: "_Arguments", results: Any,
                       region: Optional[compiled.Region] = None) -> None:
        price = self._price(func, found, results)
        if not price.is_known:
            name = func._schema.name
            self.operations[-1].is_priced = False
            self.unpriced[name] = self.unpriced.get(name, 0) + 1
        if region is not None:
            region.record(func._schema.name.partition("::")[2], found, results, price,
                          torch.Tag.pointwise in func.tags)
            return
        for prepared in price.kernels:
            self.launch_prepared(prepared)

    def _price(self, func: Any, found: "_Arguments", results: Any) -> _Price:
        flags = Flags(torch.backends.cuda.matmul.allow_tf32,
                      torch.backends.cudnn.allow_tf32)
        key = (func, found.key(), flags)
        price = self._prices.get(key) if key[1] is not None else None
        if price is not None:
            return price
        name = func._schema.name.partition("::")[2]
        outs = [info(t) for t in tensors_in(results)
                if t.device.type == self.inner_device.type]
        args = infos(found.args)
        kwargs = {word: infos(value) for word, value in found.kwargs.items()}
        kernels = prices.price(name, args, kwargs, outs, flags,
                               torch.Tag.pointwise in func.tags)
        price = _Price(is_known=kernels is not None)
        if kernels is None:
            kernels = [prices.one_pass(args, kwargs, outs, name)]
        price.kernels = [self._prepare(kernel) for kernel in kernels]
        if key[1] is not None:
            self._prices[key] = price
        return price

    def launch_prepared(self, prepared: _Prepared) -> None:
        if prepared.kernel.name.startswith("cublas"):
            self._take_workspace()
        self.launch(prepared)

    def _take_workspace(self) -> None:
        """cuBLAS gets a workspace from the allocator for each stream
        (aten/src/ATen/cuda/CublasHandlePool.cpp): 32 MiB since Hopper, 8.125
        MiB before."""
        stream = self.stream.number if self.stream else 0
        if stream in self._workspace_streams:
            return
        self._workspace_streams.add(stream)
        size = (32 << 20 if self.card.facts["major"] >= 9
                else (4096 * 2 + 16 * 8) << 10)
        self.allocator.allocate(size, stream)


@dataclass
class _Plan:
    """What a call without data returns: for each result the shape, strides and type
    of a new tensor, "first" for the first tensor of the card among the arguments, or
    None."""

    kind: Any  # tuple or list; None for a single result
    parts: List[Any]

    @staticmethod
    def of(results: Any, found: "_Arguments") -> Optional["_Plan"]:
        """None where results are neither new nor the first argument."""
        is_many = isinstance(results, (tuple, list))
        first = next(iter(found.outer), None)
        taken = {value._card_inner.untyped_storage()._cdata
                 for value in found.outer.values()}
        parts: List[Any] = []
        for part in results if is_many else [results]:
            if id(part) == first:
                parts.append("first")
            elif isinstance(part, torch.Tensor):
                if part.device.type != "meta" or part.layout != torch.strided or \
                        part.untyped_storage()._cdata in taken:
                    return None
                taken.add(part.untyped_storage()._cdata)
                parts.append((tuple(part.shape), part.stride(), part.dtype))
            elif part is None:
                parts.append(None)
            else:
                return None
        return _Plan(type(results) if is_many else None, parts)

    def made(self, first: Any) -> Any:
        found = [first if part == "first" else None if part is None else
                 torch.empty_strided(part[0], part[1], dtype=part[2], device="meta")
                 for part in self.parts]
        return found[0] if self.kind is None else self.kind(found)


class _Arguments:
    """The arguments of a call, with tensors of the card replaced by what is
    inside."""

    def __init__(self, device: CardDevice, func: Any, args: Sequence[Any],
                 kwargs: Dict[str, Any]) -> None:
        self.device = device
        self.func = func
        self.outer: Dict[int, CardTensor] = {}  # by the inner tensor
        self.cpu_tensors: List[torch.Tensor] = []
        self.is_on_card = False
        self.plain: List[torch.Tensor] = []
        self.args = [self._inner(value) for value in args]
        self.kwargs = {word: self._inner(value) for word, value in kwargs.items()}
        if not self.outer and self.is_on_card:
            return
        if self.outer:
            self.is_on_card = True
            self.cpu_tensors = [t for t in self.plain
                                if t.dim() > 0 and t.device.type == "cpu"]
            if self.cpu_tensors and not device.executes:
                self.args = [self._to_meta(value) for value in self.args]

    def _inner(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            inner = getattr(value, "_card_inner", None)
            if inner is not None:
                self.outer[id(inner)] = value
                return inner
            self.plain.append(value)
            return value
        if isinstance(value, (list, tuple)):
            return [self._inner(part) for part in value]
        if isinstance(value, torch.device) and value.type == "cuda":
            self.is_on_card = True
            return self.device.inner_device
        if isinstance(value, torch._C.Generator) and not self.device.executes:
            return None  # there are no numbers
        return value

    def _to_meta(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor) and value.device.type == "cpu" and \
                value.dim() > 0:
            return value.to("meta")
        if isinstance(value, list):
            return [self._to_meta(part) for part in value]
        return value

    def wrapped(self, results: Any) -> Any:
        if isinstance(results, torch.Tensor):
            known = self.outer.get(id(results))
            if known is not None:
                return known
            return self.device.wrap(results)
        if isinstance(results, (list, tuple)):
            return type(results)(self.wrapped(part) for part in results)
        return results

    def key(self) -> Any:
        """What a price depends on; None for what cannot be compared."""
        found = (tuple(map(_key, self.args)),
                 tuple((word, _key(value)) for word, value in self.kwargs.items()))
        try:
            hash(found)
        except TypeError:
            return None
        return found

    def shapes(self) -> str:
        found = ["x".join(map(str, value.shape)) for value in self.args
                 if isinstance(value, torch.Tensor)]
        return ", ".join(found[:3])


def _key(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided:
            return (tuple(value.shape), value.layout, value._nnz(), value.dtype)
        return (tuple(value.shape), value.stride(), value.dtype)
    if isinstance(value, list):
        return tuple(map(_key, value))
    if isinstance(value, (float, complex)):
        return 0.5  # no price depends on it
    return value


def _waits_for_mask(name: str, found: _Arguments) -> bool:
    """A mask among the indices is counted, unless it fills with one number."""
    indices = found.args[1]
    if not any(isinstance(t, torch.Tensor) and t.dtype in (torch.bool, torch.uint8)
               for t in indices):
        return False
    return name == "aten::index" or found.args[2].numel() != 1


_SPARSE_PRODUCTS = {"aten::mm", "aten::addmm", "aten::_sparse_mm",
                    "aten::_sparse_addmm", "aten::mv"}


def _sparse_results(func: Any, found: _Arguments) -> Any:
    """Without data a sparse tensor has its structure alone."""
    name = func._schema.name
    tensors = [value for value in flat([found.args, list(found.kwargs.values())])
               if isinstance(value, torch.Tensor)]
    if all(t.layout != torch.strided for t in tensors):
        def dense_is_meta(value: Any) -> Any:
            if isinstance(value, torch.Tensor) and value.layout == torch.strided:
                return value.to("meta")
            return value
        results = func(*found.args, **found.kwargs)
        return type(results)(map(dense_is_meta, results)) \
            if isinstance(results, (tuple, list)) else dense_is_meta(results)
    if name in _SPARSE_PRODUCTS:
        a, b = tensors[-2:]
        dense = next(t for t in tensors if t.layout == torch.strided)
        return torch.empty((a.shape[0], *b.shape[1:]), dtype=dense.dtype,
                           device="meta")
    raise GpuEstimateError(
        f"{name}: what it does with a sparse tensor depends on values, which do not "
        "exist with execute=\"none\": use execute=\"all\"")


_views: Dict[Any, bool] = {}


def _is_view(func: Any) -> bool:
    """Does it only look at the memory of its argument?"""
    found = _views.get(func)
    if found is None:
        returns = func._schema.returns
        found = bool(returns) and all(
            r.alias_info is not None and not r.alias_info.is_write
            for r in returns) or torch.Tag.inplace_view in func.tags or \
            func._schema.name in ("aten::_unsafe_view", "aten::lift_fresh",
                                  "aten::_reshape_alias")
        _views[func] = found
    return found


# --- What is no kernel: copies between host and card, values for the host.

def _to_copy(device: CardDevice, func: Any, args: Any, kwargs: Any,
             found: _Arguments) -> Any:
    source = args[0]
    target = kwargs.get("device")
    on_card = id(found.args[0]) in found.outer
    goes_to_card = target is not None and torch.device(target).type == "cuda"
    if on_card and (target is None or goes_to_card or not device.leaves_card):
        return NotImplemented
    size = source.numel() * source.element_size()
    is_async = bool(kwargs.get("non_blocking", False))
    rest = {word: value for word, value in kwargs.items()
            if word not in ("device", "non_blocking", "pin_memory")}
    device.compiler.settle()
    device.host_work(host_costs.of(False, False))
    device.operations.append(Operation("aten::_to_copy", device._module()[0],
                                       False, found.shapes()))
    if on_card:
        device.copy(_TO_HOST, size, is_async, False)
        return device.to_host(found.args[0], rest)
    if goes_to_card:
        # The copy is made before the cast, as torch does.
        # The structure of a sparse tensor is kept, which its work depends on.
        keeps = source.layout != torch.strided
        inner = func(source, device=torch.device("cpu") if keeps
                     else device.inner_device, **rest)
        if inner is source or _shares_memory(inner, source):
            inner = inner.clone()
        result = device.wrap(inner)
        device.copy(_TO_DEVICE, size, is_async, device.is_pinned(source))
        if inner.dtype != source.dtype:
            _cast(device, source, inner)
        return result
    return NotImplemented


def _shares_memory(left: torch.Tensor, right: torch.Tensor) -> bool:
    storages = {part.untyped_storage()._cdata for part in _parts(left)}
    return any(part.untyped_storage()._cdata in storages for part in _parts(right))


def _cast(device: CardDevice, source: torch.Tensor, target: torch.Tensor) -> None:
    of_source, of_target = (TensorInfo(tuple(t.shape), str(t.dtype)[6:])
                            for t in (source, target))
    for kernel in prices.price("_to_copy", [of_source], {}, [of_target]) or []:
        device.launch(device._prepare(kernel))


def _copy_(device: CardDevice, func: Any, args: Any, kwargs: Any,
           found: _Arguments) -> Any:
    target, source = args[:2]
    is_target = id(found.args[0]) in found.outer
    is_source = id(found.args[1]) in found.outer
    if is_target and is_source:
        return NotImplemented
    size = source.numel() * source.element_size()
    is_async = bool(args[2] if len(args) > 2 else kwargs.get("non_blocking", False))
    device.compiler.settle()
    device.host_work(host_costs.of(False, False))
    device.operations.append(Operation("aten::copy_", device._module()[0], False,
                                       found.shapes()))
    if is_target:
        if device.executes:
            found.args[0].copy_(source)
        device.copy(_TO_DEVICE, size, is_async, device.is_pinned(source))
        if source.dtype != target.dtype:
            _cast(device, source, found.args[0])
    else:
        device.copy(_TO_HOST, size, is_async, device.is_pinned(target))
        if device.executes:
            target.copy_(found.args[1])
        else:
            device.notice(_UNKNOWN)
            target.zero_()
    return target


_UNKNOWN = ("values of the card that the program read: a number is 1.0 or 0, the "
            "elements of a tensor are 0, since nothing executes with "
            "execute=\"none\"")


def _item(device: CardDevice, func: Any, args: Any, kwargs: Any,
          found: _Arguments) -> Any:
    inner = found.args[0]
    device.host_work(host_costs.of(False, False))
    device.operations.append(Operation("aten::_local_scalar_dense",
                                       device._module()[0], False, ""))
    device.copy(_TO_HOST, inner.element_size(), False, False)
    if device.executes:
        return func(inner)
    device.notice(_UNKNOWN)
    if getattr(inner, "is_check", False):
        return True
    # Programs divide by losses, and take their logarithms.
    return (False if inner.dtype == torch.bool else
            1.0 if inner.dtype.is_floating_point else 0)


def _to_host(self: CardDevice, inner: torch.Tensor,
             rest: Dict[str, Any]) -> torch.Tensor:
    if self.executes:
        return torch.ops.aten._to_copy.default(inner, device=torch.device("cpu"),
                                               **rest)
    self.notice(_UNKNOWN)
    return torch.zeros(inner.shape, dtype=rest.get("dtype") or inner.dtype)


CardDevice.to_host = _to_host  # type: ignore[attr-defined]


def _equal(device: CardDevice, func: Any, args: Any, kwargs: Any,
           found: _Arguments) -> Any:
    if device.executes:
        return NotImplemented
    device.copy(_TO_HOST, 1, False, False)
    device.notice("comparisons of tensors of the card by the program: they are taken "
                  "to be equal, since nothing executes with execute=\"none\"")
    return True


def _all_true(device: CardDevice, func: Any, args: Any, kwargs: Any,
              found: _Arguments) -> Any:
    """Without data the checks of torch itself hold (torch.distributions)."""
    made = device._perform(func, args, kwargs, found)
    if not device.executes:
        made._card_inner.is_check = True
    return made


def _assertion(device: CardDevice, func: Any, args: Any, kwargs: Any,
               found: _Arguments) -> Any:
    if device.executes:
        func(*found.args, **found.kwargs)
    return None


def _collective(device: CardDevice, func: Any, args: Any, kwargs: Any,
                found: _Arguments) -> Any:
    """A collective of one process moves nothing, or copies its input to its output."""
    device.host_work(host_costs.of(False, False))
    device.operations.append(Operation(func._schema.name, device._module()[0], False,
                                       found.shapes()))

    def small(value: Any) -> Any:
        """Without data: what stands for a tensor."""
        if isinstance(value, torch.Tensor):
            return torch.empty(0, dtype=value.dtype)
        return [small(part) for part in value] if isinstance(value, list) else value

    with no_dispatch():
        results = func(*(found.args if device.executes else map(small, found.args)),
                       **found.kwargs)
    # In place: the tensors of the call, and its work.
    return (args[0], *results[1:]) if isinstance(results, tuple) else results


def _packed(device: CardDevice, func: Any, args: Any, kwargs: Any,
            found: _Arguments) -> Any:
    """Sequences of different lengths, one after the other by steps: lengths and sizes
    of batches are tensors of the CPU. One copy for each step, joined by one kernel."""
    inner = found.args[0]
    name = func._schema.name.partition("::")[2]
    features = inner.shape[2:]
    with no_dispatch():
        if device.executes:
            results = func(*found.args, **found.kwargs)
        elif name.endswith("_backward"):
            results = torch.empty(tuple(args[1]), dtype=inner.dtype, device="meta")
        else:
            # The lengths are known: the shape is that of such data without features.
            like = torch.zeros(inner.shape[:inner.dim() - len(features)])
            made, sizes = func(like, *args[1:], **kwargs)
            results = (torch.empty((*made.shape, *features), dtype=inner.dtype,
                                   device="meta"), sizes)
    module, is_backward = device._module()
    device.host_work(host_costs.of(is_backward, False))
    device.operations.append(Operation(func._schema.name, module, is_backward,
                                       found.shapes()))
    is_pair = isinstance(results, tuple)
    data = results[0] if is_pair else results
    wrapped = device.wrap(data)
    for kernel in prices.price("cat", (info(inner),), {}, (info(data),)) or []:
        device.launch(device._prepare(kernel))
    return (wrapped, results[1]) if is_pair else wrapped


_SPECIAL = {"aten::_pack_padded_sequence": _packed,
            "aten::_pack_padded_sequence_backward": _packed,
            "aten::_to_copy": _to_copy, "aten::copy_": _copy_,
            "aten::_local_scalar_dense": _item, "aten::equal": _equal,
            "aten::allclose": _equal,
            "aten::_is_all_true": _all_true,
            "aten::_assert_async": _assertion,
            "aten::_assert_scalar": _assertion}


class Operations(TorchDispatchMode):
    """Takes every operation while the card is open."""

    def __init__(self, device: CardDevice) -> None:
        super().__init__()
        self.device = device

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (),
                           kwargs: Any = None) -> Any:
        if _open is not self.device:
            return func(*args, **(kwargs or {}))
        return self.device.dispatch(func, args, kwargs or {})


class Functions(TorchFunctionMode):
    """Takes the functions that torch decides by the device before an operation is
    known."""

    def __init__(self, device: CardDevice) -> None:
        super().__init__()
        self.device = device

    def __torch_function__(self, func: Any, types: Any, args: Any = (),
                           kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        device = self.device
        if _open is not device:
            return func(*args, **kwargs)
        args, kwargs = autocast.arguments(func, args, kwargs)
        replaced = functions.REPLACED.get(func)
        if replaced is not None:
            return replaced(func, args, kwargs)
        if kwargs:
            target = kwargs.get("device")
            if target is not None and functions.is_card(target):
                kwargs["device"] = _CARD
            elif kwargs.get("pin_memory"):
                made = func(*args, **{**kwargs, "pin_memory": False})
                device.pin(made)
                return made
        before = device.calls_card, device.call_arguments
        device.calls_card = _has_card(args, kwargs)
        device.call_arguments = (args, kwargs)
        try:
            return func(*args, **kwargs)
        finally:
            device.calls_card, device.call_arguments = before


def _has_card(args: Any, kwargs: Any) -> bool:
    return any(functions.is_on_card(value) or (
        isinstance(value, (list, tuple)) and any(map(functions.is_on_card, value)))
        for values in (args, kwargs.values()) for value in values)


def opened(device: Optional[CardDevice]) -> None:
    global _open
    _open = device


def current() -> Optional[CardDevice]:
    return _open
