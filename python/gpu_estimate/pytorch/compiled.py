"""torch.compile() on a card that is a file.

Inductor needs a driver of the card for the code that it makes, so nothing is
compiled: the operations of a compiled function are done one by one, as always,
and only their kernels are held back until the function returns. Then they are
fused by the rules of Inductor's scheduler (fusion.py), and launched.

A kernel also writes what autograd keeps for the backward pass, if what it is made of
is larger. The backward pass of a compiled function is fused in the same way. What
differs from Inductor: it measures candidates with mode="max-autotune"; the peak of
memory is that of eager PyTorch, which has all intermediate tensors.
"""

from __future__ import annotations

import bisect
import functools
import sys
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

import torch

from .. import runtime
from . import fusion, host_costs, prices
from .prices import Kernel
from .tensors import info, infos, tensors_in


@dataclass
class _Memory:
    """A tensor's memory; `block` is the device's record of it while it lives."""

    key: int
    block: Any


class Region:
    """The operations of one call of a compiled function."""

    def __init__(self, device: Any, uses_graph: bool) -> None:
        self.device = device
        self.uses_graph = uses_graph
        self.nodes: List[fusion.Node] = []
        self._memory: Dict[int, _Memory] = {}  # by the storage
        self._by_key: Dict[int, _Memory] = {}
        self._made: Set[int] = set()  # memory of results

    # --- What the program does.

    def record(self, op: str, found: Any, results: Any, price: Any,
               is_pointwise: bool) -> None:
        """An operation whose kernels are held back. Its record is the last one of
        the device, and is taken from there until then."""
        operation = self.device.operations.pop()
        flat = list(tensors_in(results))
        if not flat and op.endswith("_"):  # lists that change in place
            flat = list(tensors_in(found.args[0]))
        args = infos(list(found.args))
        outs = [info(t) for t in flat]
        kernels = [prepared.kernel for prepared in price.kernels]
        reads, writes = self._traffic(op, found, flat)
        stem = prices._stem(op)
        is_fused = bool(kernels) and (op == "mm" or all(map(_is_pass, kernels)))
        if is_fused and op in fusion.ROW_NORM_GRADIENTS and len(kernels) == 2:
            self._record_norm_gradient(operation, op, args, price, reads, writes,
                                       self._key(flat[0]))
            return
        space = fusion.space_of(op, args, outs, is_pointwise, _tunes()) \
            if is_fused else None
        if space is not None:
            self._move_by_indices(stem, stem != op, found, kernels, reads, writes)
        self.nodes.append(fusion.Node(
            operation, [op], space, price.kernels, reads, writes,
            2.0 * space.elements if space is not None and op == "mm" else
            sum(map(_instructions, kernels)), space is not None and space.rows is None))

    def _traffic(self, op: str, found: Any, results: List[torch.Tensor]
                 ) -> Tuple[Dict[int, float], Dict[int, float]]:
        """Bytes that the operation reads and writes, by the memory."""
        reads: Dict[int, float] = {}
        writes: Dict[int, float] = {}
        unread = fusion.UNREAD.get(op)
        used = [value for place, value in enumerate(found.args) if place != unread]
        for tensor in tensors_in([used, list(found.kwargs.values())]):
            if tensor.device.type != self.device.inner_device.type:
                continue
            key = self._key(tensor)
            if key is not None:
                size = self.device.compiler.kept_bytes(tensor, info(tensor).bytes)
                reads[key] = max(reads.get(key, 0), size)
        for tensor in results:
            key = self._key(tensor)
            if key is not None:
                if key not in reads:
                    self._made.add(key)
                writes[key] = max(writes.get(key, 0), info(tensor).bytes)
        if op in ("fill_", "zero_", "copy_"):
            for key in writes:
                reads.pop(key, None)
        return reads, writes

    def _move_by_indices(self, stem: str, is_inplace: bool, found: Any,
                         kernels: List[Kernel], reads: Dict[int, float],
                         writes: Dict[int, float]) -> None:
        """Only the elements that indices name are read, or written."""
        first = self._key(next(tensors_in(found.args), None))
        if stem in fusion.GATHERS and first in reads:
            whole = sum(dict(k.sizes)["read_bytes"] * k.count for k in kernels)
            rest = sum(size for key, size in reads.items() if key != first)
            reads[first] = min(reads[first], max(0.0, whole - rest))
        if stem in fusion.SCATTERS and is_inplace and first is not None:
            reads.pop(first, None)
            writes[first] = info(list(tensors_in(found.args))[-1]).bytes

    def _record_norm_gradient(self, operation: Any, op: str, args: List[Any],
                              price: Any, reads: Dict[int, float],
                              writes: Dict[int, float], of_input: Optional[int]) -> None:
        elements, rows = args[1].numel, args[3].numel
        for prepared, space, keys in (
                (price.kernels[0], fusion.Space(elements, rows),
                 [key for key in writes if key == of_input]),
                (price.kernels[1], fusion.Space(elements, elements // max(1, rows)),
                 [key for key in writes if key != of_input])):
            self.nodes.append(fusion.Node(
                replace(operation), [op], space, [prepared], dict(reads),
                {key: writes[key] for key in keys}, _instructions(prepared.kernel)))

    def _key(self, tensor: Optional[torch.Tensor]) -> Optional[int]:
        if tensor is None or tensor.layout != torch.strided:
            return None
        storage = tensor.untyped_storage()._cdata
        block = self.device._blocks.get(storage)
        if block is None:
            return None
        known = self._memory.get(storage)
        if known is None or known.block is not block:
            known = _Memory(len(self._by_key), block)
            self._memory[storage] = known
            self._by_key[known.key] = known
        return known.key

    # --- What the card does.

    def launch(self, returned: Optional[List[torch.Tensor]] = None) -> None:
        """Launches what is held back. returned: what the program gets from a call
        whose backward pass may follow; other results that live are kept for it."""
        nodes, self.nodes = self.nodes, []
        device = self.device
        storages = {memory.key: storage for storage, memory in self._memory.items()
                    if device._blocks.get(storage) is memory.block}
        alive = set(storages)
        saved = alive & self._made if returned is not None else set()
        saved -= {self._key(tensor) for tensor in returned or []}
        self._memory.clear()
        self._by_key.clear()
        self._made.clear()
        fused = fusion.fuse(nodes)
        for key, size in fusion.recomputed(fused, saved).items():
            alive.discard(key)
            device.compiler.keep_instead(storages[key], size)
        launches = [(node, written) for node, written in
                    zip(fused, fusion.needed_bytes(fused, alive))
                    if node.space is None or written > 0]
        if not launches:
            return
        graph = None
        if self.uses_graph and device.capture is None:
            graph = _Graph(device)
        for node, written in launches:
            if graph is None:
                device.host_work(host_costs.COMPILED_KERNEL_NS)
            device.operations.append(node.operation)
            if device.capture is not None:
                device.capture.begin(node.operation)
            if node.space is None:
                for prepared in node.kernels:
                    device.launch_prepared(prepared)
                continue
            node.operation.launches = 0
            node.operation.name = fusion.kernel_name(node)
            for kernel in fusion.kernels_of(node, written,
                                     device.card.facts["multiprocessors"]):
                device.launch(device._prepare(kernel))
        if graph is not None:
            graph.end()


class _Graph:
    """mode="reduce-overhead": the launches of a region are one of a graph."""

    _count = 1 << 20  # behind the numbers of the program's own graphs

    def __init__(self, device: Any) -> None:
        _Graph._count += 1
        self.device, self.number = device, _Graph._count
        device.host_work(host_costs.COMPILED_KERNEL_NS)
        runtime.library().gpu_estimate_graph_launch(self.number, 1,
                                                    device._stream_handle())

    def end(self) -> None:
        runtime.library().gpu_estimate_graph_launch(self.number, 0,
                                                    self.device._stream_handle())


def _tensors_of(result: Any) -> List[torch.Tensor]:
    """The tensors of what a function returns, with dictionaries and data classes."""
    found: List[torch.Tensor] = []
    for leaf in torch.utils._pytree.tree_leaves(result):
        inner = getattr(leaf, "_card_inner", None)
        if inner is not None:
            found.append(inner)
        elif hasattr(leaf, "__dict__") and not isinstance(leaf, torch.Tensor):
            found += [value._card_inner for value in vars(leaf).values()
                      if hasattr(value, "_card_inner")]
    return found


def _tunes() -> bool:
    """Is coordinate_descent_tuning set? Only a program that has loaded Inductor's
    settings can have set it."""
    settings = sys.modules.get("torch._inductor.config")
    return bool(settings is not None and settings.coordinate_descent_tuning)


def _instructions(kernel: Kernel) -> float:
    return dict(kernel.sizes).get("instructions", 0) * kernel.count


def _is_pass(kernel: Kernel) -> bool:
    return any(name == "read_bytes" for name, _ in kernel.sizes)


class Compiler:
    """torch.compile() of one open card."""

    _RANGES = 1 << 14  # calls whose backward pass may still come

    def __init__(self, device: Any) -> None:
        self.device = device
        self.region: Optional[Region] = None  # that the program is in
        self.backward: Optional[Region] = None
        # Numbers of the autograd nodes of compiled calls: begin, end, with a graph?
        self._begins: List[int] = []
        self._ranges: List[Tuple[int, int, bool]] = []
        # [storage] what stands in the place of memory that is not written.
        self._kept: Dict[int, Tuple[Any, float]] = {}

    def region_of_operation(self) -> Optional[Region]:
        """The region of the operation that the device performs now."""
        if self.region is not None:
            return self.region
        if not self._ranges and self.backward is None:
            return None
        node = torch._C._current_autograd_node()
        if node is not None:
            found = self._range_of(node._sequence_nr())
            if found is not None:
                if self.backward is None:
                    self.backward = Region(self.device, found[2])
                    self.device.host_work(host_costs.COMPILED_CALL_NS)
                return self.backward
            if self.backward is not None and node.name().endswith("AccumulateGrad"):
                return self.backward
        self.settle_backward()
        return None

    def _range_of(self, number: int) -> Optional[Tuple[int, int, bool]]:
        place = bisect.bisect_right(self._begins, number) - 1
        if place < 0 or number >= self._ranges[place][1]:
            return None
        return self._ranges[place]

    def keep_instead(self, storage: int, size: float) -> None:
        """The memory is not written: the backward pass reads so many other bytes."""
        if len(self._kept) > self._RANGES:
            self._kept = {key: kept for key, kept in self._kept.items()
                          if self.device._blocks.get(key) is kept[0]}
        self._kept[storage] = self.device._blocks[storage], size

    def kept_bytes(self, tensor: torch.Tensor, size: float) -> float:
        """The bytes that reading the tensor takes, size if it was written."""
        if not self._kept or tensor.layout != torch.strided:
            return size
        storage = tensor.untyped_storage()._cdata
        block, kept = self._kept.get(storage, (None, size))
        return kept if block is self.device._blocks.get(storage) else size

    def settle_backward(self) -> None:
        region, self.backward = self.backward, None
        if region is not None:
            region.launch()

    def settle(self) -> None:
        """Launches what is held back: the program looks at the card."""
        self.settle_backward()
        if self.region is not None:
            self.region.launch()

    def call(self, function: Callable[..., Any], uses_graph: bool, args: Any,
             kwargs: Any) -> Any:
        if self.region is not None:  # inlined into the outer one
            return function(*args, **kwargs)
        self.settle_backward()
        begin = torch.autograd._get_sequence_nr()
        self.region = Region(self.device, uses_graph)
        self.device.host_work(host_costs.COMPILED_TRAINING_CALL_NS
                              if torch.is_grad_enabled()
                              else host_costs.COMPILED_CALL_NS)
        trains, result = torch.is_grad_enabled(), None
        try:
            result = function(*args, **kwargs)
            return result
        finally:
            region, self.region = self.region, None
            end = torch.autograd._get_sequence_nr()
            if end > begin:
                self._begins.append(begin)
                self._ranges.append((begin, end, uses_graph))
                if len(self._ranges) > self._RANGES:
                    del self._begins[:self._RANGES // 2]
                    del self._ranges[:self._RANGES // 2]
            region.launch(_tensors_of(result) if trains else None)

    def compile(self, model: Any = None, *, fullgraph: bool = False,
                dynamic: Any = None, backend: Any = "inductor", mode: Any = None,
                options: Any = None, disable: bool = False, **_: Any) -> Any:
        """torch.compile."""
        if model is None:
            return functools.partial(self.compile, fullgraph=fullgraph,
                                     dynamic=dynamic, backend=backend, mode=mode,
                                     options=options, disable=disable)
        if disable or backend in ("eager", "aot_eager"):
            return model
        if backend != "inductor":
            self.device.notice(f"torch.compile: the backend {backend!r} is not known; "
                               "the times are those of Inductor")
        self.device.notice(NOTICE)
        uses_graph = mode in ("reduce-overhead", "max-autotune") or bool(
            (options or {}).get("triton.cudagraphs"))
        compiler = self

        if isinstance(model, torch.nn.Module):
            return _CompiledModule(model, compiler, uses_graph)

        @functools.wraps(model)
        def compiled(*args: Any, **kwargs: Any) -> Any:
            return compiler.run(model, uses_graph, args, kwargs)

        return compiled

    def run(self, function: Callable[..., Any], uses_graph: bool, args: Any,
            kwargs: Any) -> Any:
        from . import device as devices
        if devices.current() is not self.device:  # the card is closed
            return function(*args, **kwargs)
        return self.call(function, uses_graph, args, kwargs)


NOTICE = ("torch.compile: the kernels of compiled functions are fused by the rules of "
          "Inductor's scheduler, and not compiled; a call takes the host "
          f"{host_costs.COMPILED_CALL_NS / 1e3:g} us, with autograd "
          f"{host_costs.COMPILED_TRAINING_CALL_NS / 1e3:g} us, and each kernel "
          f"{host_costs.COMPILED_KERNEL_NS / 1e3:g} us beside its launch (measured on "
          "another host); the peak of memory is that of eager PyTorch")


class _CompiledModule(torch.nn.Module):
    """As torch's OptimizedModule: the module is `_orig_mod`."""

    def __init__(self, module: torch.nn.Module, compiler: Compiler,
                 uses_graph: bool) -> None:
        super().__init__()
        self._orig_mod = module
        self.__dict__["_compiler"] = compiler
        self.__dict__["_uses_graph"] = uses_graph
        self.training = module.training

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.__dict__["_compiler"].run(self._orig_mod,
                                              self.__dict__["_uses_graph"], args,
                                              kwargs)

    def __getattr__(self, name: str) -> Any:
        if name == "_orig_mod":
            return self._modules["_orig_mod"]
        return getattr(self._orig_mod, name)
