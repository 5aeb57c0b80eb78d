"""Puts PyTorch on the card for the time of a `with` statement."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import weakref
from typing import Any, Iterator

import torch

from . import checkpoints, cuda, device, functions, profiler
from .report import TorchRun


@contextlib.contextmanager
def installed(card: Any) -> Iterator[device.CardDevice]:
    """"cuda" is the card inside. The virtual clock stands still: what this process
    does is no work of the modelled host (host_costs.py)."""
    owner = device.CardDevice(card)
    card.pytorch = TorchRun(card, owner)
    device.opened(owner)
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(cuda.replaced(owner))
            stack.enter_context(_lists_of_tensors())
            stack.enter_context(_groups_of_tensors())
            stack.enter_context(_modules(owner))
            stack.enter_context(_functions_in_python())
            stack.enter_context(profiler.installed(owner))
            if not owner.executes:
                stack.enter_context(_scaled_steps())
            stack.enter_context(checkpoints.installed(owner))
            stack.enter_context(_threads(owner))
            stack.enter_context(device.Functions(owner))
            stack.enter_context(device.Operations(owner))
            yield owner
            owner.compiler.settle()
            owner.attribute_launches("kernel without an operation")
            card.pytorch.end()
    finally:
        device.opened(None)


# A process that is forked, such as a worker of a DataLoader, has no card, as one that
# is forked after the initialisation of CUDA; the time line is that of its parent.
os.register_at_fork(after_in_child=lambda: device.opened(None))


@contextlib.contextmanager
def _threads(owner: device.CardDevice) -> Iterator[None]:
    """Threads that the program starts see the card, too: torch keeps its modes by
    thread. One that lives longer than the card sees torch as it is."""
    bootstrap = threading.Thread._bootstrap_inner  # type: ignore[attr-defined]

    def bootstrapped(self: threading.Thread) -> None:
        with device.Functions(owner), device.Operations(owner):
            bootstrap(self)

    threading.Thread._bootstrap_inner = bootstrapped  # type: ignore[attr-defined]
    try:
        yield
    finally:
        threading.Thread._bootstrap_inner = bootstrap  # type: ignore[attr-defined]


_PLAIN = (torch.Tensor, torch.nn.Parameter, device.CardTensor, type(None))
_NO_OVERRIDE = (None, torch._C._disabled_torch_function_impl)


def _is_overridden(*values: Any) -> bool:
    """Does a type among those of the arguments override torch's functions?"""
    for value in values:
        kind = type(value)
        if kind not in _PLAIN and \
                getattr(kind, "__torch_function__", None) not in _NO_OVERRIDE:
            return True
    return False


@contextlib.contextmanager
def _functions_in_python() -> Iterator[None]:
    """Functions of torch in Python, such as multi_head_attention_forward() and
    Tensor.backward(), ask whether a mode takes their call, and are called by it
    without the mode, which would not see the attention, the dropout and the products
    inside. While a card is open they ask for types alone."""
    of_overrides = torch.overrides
    replaced = {
        of_overrides.has_torch_function: lambda values: _is_overridden(*values),
        of_overrides.has_torch_function_unary: _is_overridden,
        of_overrides.has_torch_function_variadic: _is_overridden}
    before = []
    for name, module in list(sys.modules.items()):
        if not name.startswith("torch.") or module is of_overrides:
            continue
        for word in ("has_torch_function", "has_torch_function_unary",
                     "has_torch_function_variadic"):
            found = vars(module).get(word)
            if found in replaced:
                before.append((module, word, found))
                setattr(module, word, replaced[found])
    try:
        yield
    finally:
        for module, word, found in before:
            setattr(module, word, found)


@contextlib.contextmanager
def _scaled_steps() -> Iterator[None]:
    """Without data a GradScaler finds no infinity, and every optimiser steps."""
    from torch.amp.grad_scaler import GradScaler
    original = GradScaler._maybe_opt_step

    def step(self: Any, optimizer: Any, state: Any, *args: Any, **kwargs: Any) -> Any:
        for found in state["found_inf_per_device"].values():
            found.item()  # the host waits
        return optimizer.step(*args, **kwargs)

    GradScaler._maybe_opt_step = step  # type: ignore[method-assign]
    try:
        yield
    finally:
        GradScaler._maybe_opt_step = original  # type: ignore[method-assign]


@contextlib.contextmanager
def _lists_of_tensors() -> Iterator[None]:
    """Optimisers use their kernels over lists for these tensors, too."""
    from torch.optim import optimizer
    from torch.utils import _foreach_utils
    lists = []
    for module in (optimizer, _foreach_utils):
        found = getattr(module, "_foreach_supported_types", None)
        if isinstance(found, list) and all(found is not one for one in lists):
            lists.append(found)
    for types in lists:
        types.append(device.CardTensor)
    try:
        yield
    finally:
        for types in lists:
            types.remove(device.CardTensor)


@contextlib.contextmanager
def _groups_of_tensors() -> Iterator[None]:
    """Groups of tensors by device name the card."""
    name = "_group_tensors_by_device_and_dtype"
    original = getattr(torch._C, name)

    def grouped(*args: Any, **kwargs: Any) -> Any:
        found = {}
        for (place, kind), (lists, indices) in original(*args, **kwargs).items():
            first = next((t for one in lists for t in one if t is not None), None)
            if functions.is_on_card(first):
                place = functions.CARD
            found[(place, kind)] = (lists, indices)
        return found

    setattr(torch._C, name, grouped)
    try:
        yield
    finally:
        setattr(torch._C, name, original)


@contextlib.contextmanager
def _modules(owner: device.CardDevice) -> Iterator[None]:
    """Which module an operation belongs to: names are those of the outermost
    module that is called."""
    names: "weakref.WeakKeyDictionary[Any, str]" = weakref.WeakKeyDictionary()

    def enter(module: torch.nn.Module, *_: Any) -> None:
        if not owner._modules and module not in names:
            for name, part in module.named_modules():
                names[part] = name
        owner.enter_module(module, names)

    def leave(module: torch.nn.Module, *_: Any) -> None:
        owner.leave_module()

    of = torch.nn.modules.module
    hooks = [of.register_module_forward_pre_hook(enter),
             of.register_module_forward_hook(leave, always_call=True)]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
