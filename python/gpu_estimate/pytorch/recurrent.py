"""Recurrent layers and cells: one operation for CUDA (cuDNN's _cudnn_rnn, and
_thnn_fused_lstm_cell), many on the CPU, which ones depends on its libraries and on
whether there are data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import torch
from torch.utils._python_dispatch import _disable_current_modes

from ..service import GpuEstimateError
from . import functions, host_costs, prices
from .prices import Flags, TensorInfo


@dataclass
class _Call:
    """A call of torch.lstm() and its kin. Tensors are replaced in `args` by their
    place among `tensors`."""

    func: Any
    args: List[Any]
    tensors: List[Any]

    @property
    def is_cell(self) -> bool:
        return self.func.__name__.endswith("_cell")

    @property
    def is_packed(self) -> bool:
        """(data, batch_sizes, hx, weights, ...) in place of (input, hx, weights, ...)"""
        return not self.is_cell and not isinstance(self.args[2], list)

    def rebuilt(self, tensors: List[Any]) -> Any:
        def value(part: Any) -> Any:
            if isinstance(part, _Place):
                return tensors[part.number]
            if isinstance(part, (list, tuple)):
                return type(part)(map(value, part))
            return part
        return [value(part) for part in self.args]

    def state(self, tensors: List[Any]) -> Tuple[Any, ...]:
        found = self.rebuilt(tensors)[2 if self.is_packed else 1]
        return tuple(found) if isinstance(found, (list, tuple)) else (found,)

    def weights(self, tensors: List[Any]) -> List[Any]:
        found = self.rebuilt(tensors)
        if self.is_cell:
            return [t for t in found[2:4]]
        # Matrices alone: weight_ih, weight_hh, and weight_hr of projections.
        return [t for t in found[3 if self.is_packed else 2] if t.dim() == 2]

    def shapes(self, tensors: List[Any]) -> List[Tuple[int, ...]]:
        state = self.state(tensors)
        if self.is_cell:
            return [tuple(t.shape) for t in state]
        directions = 2 if bool(self.args[-1 if self.is_packed else -2]) else 1
        x = tensors[0]
        return [(*x.shape[:-1], directions * state[0].shape[-1]),
                *(tuple(t.shape) for t in state)]

    def price(self, tensors: List[Any], backward: bool, flags: Flags) -> Any:
        x = tensors[0]
        dtype = str(x.dtype)[6:]
        if self.is_cell:
            steps, batch = 1, x.shape[0]
        elif self.is_packed:
            steps = max(1, self.args[1].numel())
            batch = max(1, x.shape[0] // steps)
        else:
            batch_first = bool(self.args[-1])
            is_batched = x.dim() > 2
            steps = x.shape[1 if batch_first and is_batched else 0]
            batch = x.shape[0 if batch_first else 1] if is_batched else 1
        weights = [TensorInfo(tuple(t.shape), dtype) for t in self.weights(tensors)]
        name = "_thnn_fused_cell" if self.is_cell else "_cudnn_rnn"
        return prices.price(name + ("_backward" if backward else ""),
                            (TensorInfo((steps, batch, x.shape[-1]), dtype), weights),
                            {}, (), flags) or []


@dataclass(frozen=True)
class _Place:
    number: int


class _Recurrent(torch.autograd.Function):
    """One operation on the card, forward and backward."""

    @staticmethod
    def forward(ctx: Any, call: _Call, *tensors: Any) -> Any:
        from .device import current
        owner = current()
        assert owner is not None
        inner = [t._card_inner for t in tensors]
        needs = [bool(n) for n in ctx.needs_input_grad[1:]]
        graph: Optional[Tuple[Any, Any]] = None
        with _disable_current_modes():
            if owner.executes:
                leaves = [t.detach().requires_grad_(n) for t, n in zip(inner, needs)]
                with torch.set_grad_enabled(any(needs)):
                    made = call.func(*call.rebuilt(leaves))
                outs = list(made) if isinstance(made, (list, tuple)) else [made]
                results = [out.detach() for out in outs]
                graph = (leaves, outs)
            else:
                results = [torch.empty(shape, dtype=inner[0].dtype, device="meta")
                           for shape in call.shapes(inner)]
            # What the backward pass needs of the gates ("reserve space").
            gates = sum(t.shape[0] for t in call.weights(inner)[::2])
            rows = inner[0].numel() // max(1, inner[0].shape[-1])
            reserve = torch.empty(gates * rows, dtype=inner[0].dtype, device="meta") \
                if any(needs) else None
        ctx.reserve = owner.wrap(reserve) if reserve is not None else None
        ctx.call, ctx.graph, ctx.inner, ctx.needs = call, graph, inner, needs
        _launch(owner, call, inner, False)
        return tuple(owner.wrap(t) for t in results)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        from .device import current
        owner = current()
        assert owner is not None
        with _disable_current_modes():
            if ctx.graph is not None:
                leaves, outs = ctx.graph
                pairs = [(out, getattr(grad, "_card_inner", grad))
                         for out, grad in zip(outs, grads)
                         if grad is not None and out.requires_grad]
                wanted = [t for t in leaves if t.requires_grad]
                found = iter(torch.autograd.grad(
                    [out for out, _ in pairs], wanted, [grad for _, grad in pairs],
                    retain_graph=True, allow_unused=True))
                results = [next(found) if t.requires_grad else None for t in leaves]
            else:
                results = [torch.empty_like(t) if n else None
                           for t, n in zip(ctx.inner, ctx.needs)]
        _launch(owner, ctx.call, ctx.inner, True)
        return (None, *(None if t is None else owner.wrap(t) for t in results))


def _launch(owner: Any, call: _Call, inner: List[Any], backward: bool) -> None:
    from .device import Operation
    if owner.capture is not None and owner.executes:
        raise GpuEstimateError("a recurrent layer in a CUDA graph needs "
                               "execute=\"none\"")
    module, is_backward = owner._module()
    name = "aten::_thnn_fused_" + call.func.__name__ if call.is_cell else \
        "aten::_cudnn_rnn"
    owner.host_work(host_costs.of(backward, False))
    owner.operations.append(Operation(name + ("_backward" if backward else ""), module,
                                      is_backward, "x".join(map(str, inner[0].shape))))
    if owner.capture is not None:
        owner.capture.begin(owner.operations[-1])
    flags = Flags(torch.backends.cuda.matmul.allow_tf32,
                  torch.backends.cudnn.allow_tf32)
    for kernel in call.price(inner, backward, flags):
        owner.launch(owner._prepare(kernel))


def performed(func: Any, args: Any, kwargs: Any) -> Any:
    if kwargs or not functions.is_on_card(args[0]):
        return func(*args, **kwargs)
    tensors: List[Any] = []
    places: Dict[int, _Place] = {}

    def taken(value: Any) -> Any:
        if functions.is_on_card(value):
            if id(value) not in places:
                places[id(value)] = _Place(len(tensors))
                tensors.append(value)
            return places[id(value)]
        if isinstance(value, (list, tuple)):
            parts = [taken(part) for part in value]
            return parts if isinstance(value, list) else tuple(parts)
        return value

    call = _Call(func, [taken(value) for value in args], tensors)
    found = _Recurrent.apply(call, *tensors)
    return found[0] if func.__name__ == "gru_cell" else found


def padded(func: Any, args: Any, kwargs: Any) -> Any:
    """torch._pad_packed_sequence(data, batch_sizes, batch_first, padding, length),
    whose lengths are a tensor of the CPU."""
    if kwargs or not functions.is_on_card(args[0]):
        return func(*args, **kwargs)
    data, sizes, batch_first, padding, total = args
    with _disable_current_modes():
        widths = sizes.tolist()
        batch, steps = widths[0], len(widths)
        lengths = torch.tensor([sum(width > row for width in widths)
                                for row in range(batch)])
        places = torch.cat([torch.arange(width) + step * batch
                            for step, width in enumerate(widths)])
    steps = max(steps, total)
    found = torch.full((steps * batch, *data.shape[1:]), padding, dtype=data.dtype,
                       device=functions.CARD)
    found = found.index_copy(0, functions.moved_to_card(places), data)
    found = found.view(steps, batch, *data.shape[1:])
    return (found.transpose(0, 1) if batch_first else found), lengths
