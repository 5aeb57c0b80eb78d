"""torch.cuda.CUDAGraph of the modelled card. A capture executes nothing: what
operations write is undone at its end. A replay is one call of the host, and
executes them again on the tensors of the capture.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

import torch
from torch.utils._python_dispatch import _disable_current_modes

from .. import runtime
from ..service import GpuEstimateError
from . import device as devices
from . import emulated, host_costs
from .tensors import flat, tensors_in


@dataclass
class _Node:
    """One operation of a graph, and its kernels."""

    operation: Any
    kernels: List[Any] = field(default_factory=list)
    perform: Optional[Callable[[], None]] = None  # with data


class Capture:
    """What is recorded between capture_begin() and capture_end()."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner
        self.nodes: List[_Node] = []
        self._made: Set[int] = set()  # storages that are new
        self._before: Dict[int, Tuple[torch.Tensor, torch.Tensor]] = {}
        self._random = torch.get_rng_state()

    def begin(self, operation: Any) -> None:
        self.nodes.append(_Node(operation))

    def launch(self, prepared: Any) -> None:
        self.nodes[-1].kernels.append(prepared)

    def before(self, func: Any, found: Any) -> None:
        """Keeps what the operation is going to write."""
        for place, argument in enumerate(func._schema.arguments):
            if argument.alias_info is None or not argument.alias_info.is_write:
                continue
            value = found.args[place] if place < len(found.args) else \
                found.kwargs.get(argument.name)
            for tensor in flat(value):
                if isinstance(tensor, torch.Tensor):
                    self._keep(tensor)

    def _keep(self, tensor: torch.Tensor) -> None:
        storage = tensor.untyped_storage()
        if storage._cdata in self._made or storage._cdata in self._before:
            return
        with _disable_current_modes():
            whole = torch.empty(0, dtype=torch.uint8).set_(storage)
            self._before[storage._cdata] = whole, whole.clone()

    def performed(self, func: Any, found: Any, results: Any) -> None:
        old = list(tensors_in(results))
        self._made.update(t.untyped_storage()._cdata for t in old)

        def perform() -> None:
            new = emulated.perform(func, found.args, found.kwargs, True)
            for target, source in zip(old, tensors_in(new)):
                if target.untyped_storage()._cdata != \
                        source.untyped_storage()._cdata:
                    target.copy_(source)

        self.nodes[-1].perform = perform

    def end(self) -> None:
        with _disable_current_modes():
            for whole, kept in self._before.values():
                whole.copy_(kept)
        self._before.clear()
        torch.set_rng_state(self._random)


def refuse(what: str) -> None:
    """While a stream is captured."""
    owner = devices.current()
    if owner is not None and owner.capture is not None:
        raise RuntimeError("CUDA error: operation not permitted when stream is "
                           f"capturing ({what})")


class CUDAGraph:
    """torch.cuda.CUDAGraph."""

    _count = 0

    def __init__(self, keep_graph: bool = False) -> None:
        CUDAGraph._count += 1
        self._number = CUDAGraph._count
        self._nodes: Optional[List[_Node]] = None

    def capture_begin(self, pool: Any = None, capture_error_mode: str = "global",
                      check_input_liveness: bool = False) -> None:
        """check_input_liveness would find inputs that are freed before a replay;
        the nodes of a graph here keep their tensors alive."""
        owner = _owner()
        if owner.capture is not None:
            raise RuntimeError("a graph is captured already")
        owner.capture = Capture(owner)
        owner.card.record = self._of_kernel

    def _of_kernel(self, launch: Callable[[], None]) -> None:
        """A launch of Triton."""
        owner = _owner()
        capture = owner.capture
        capture.begin(None)
        capture.nodes[-1].perform = launch

    def capture_end(self) -> None:
        owner = _owner()
        capture, owner.capture = owner.capture, None
        owner.card.record = None
        if capture is None:
            raise RuntimeError("no graph is captured")
        capture.end()
        self._nodes = capture.nodes

    def instantiate(self) -> None:
        pass

    def replay(self) -> None:
        if self._nodes is None:
            raise RuntimeError("Called CUDAGraph::replay without a preceding "
                               "successful capture.")
        owner = _owner()
        owner.attribute_launches("kernel without an operation")
        owner.host_work(host_costs.FORWARD_NS)
        lib = runtime.library()
        stream = owner._stream_handle()
        if lib.gpu_estimate_graph_launch(self._number, 1, stream):
            raise GpuEstimateError("a graph on a stream that is gone")
        try:
            for node in self._nodes:
                self._replay(owner, node)
        finally:
            lib.gpu_estimate_graph_launch(self._number, 0, stream)

    @staticmethod
    def _replay(owner: Any, node: _Node) -> None:
        if node.operation is not None:
            owner.operations.append(replace(node.operation, launches=0))
        if node.perform is not None:
            with _disable_current_modes(), torch.no_grad():
                node.perform()
        for prepared in node.kernels:
            owner.launch(prepared)
        if node.operation is None:
            owner.attribute_launches("kernel of a graph")

    def reset(self) -> None:
        self._nodes = None

    def pool(self) -> Tuple[int, int]:
        return (0, self._number)

    def enable_debug_mode(self) -> None:
        pass

    def debug_dump(self, debug_path: str) -> None:
        pass


def _owner() -> Any:
    owner = devices.current()
    if owner is None:
        raise GpuEstimateError("no card is open")
    return owner


def replacements(owner: Any) -> List[Tuple[Any, str, Any]]:
    """torch's own `graph` and make_graphed_callables() use these."""
    cuda, graphs = torch.cuda, torch.cuda.graphs

    def is_capturing() -> bool:
        return owner.capture is not None

    def handle() -> Tuple[int, int]:
        return (0, 0)

    found: List[Tuple[Any, str, Any]] = []
    for place in (cuda, graphs):
        found += [(place, "CUDAGraph", CUDAGraph),
                  (place, "is_current_stream_capturing", is_capturing),
                  (place, "graph_pool_handle", handle)]
    # A stream of the card that was open before.
    found.append((graphs.graph, "default_capture_stream", None))
    return found
