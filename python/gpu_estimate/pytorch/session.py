"""Puts PyTorch on the card for the time of a `with` statement."""

from __future__ import annotations

import contextlib
import weakref
from typing import Any, Iterator

import torch

from . import cuda, device, functions
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
            stack.enter_context(device.Functions())
            stack.enter_context(device.Operations(owner))
            yield owner
            owner.attribute_launches("kernel without an operation")
            card.pytorch.end()
    finally:
        device.opened(None)


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
