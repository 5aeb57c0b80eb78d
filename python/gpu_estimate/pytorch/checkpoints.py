"""torch.save() and torch.load() with tensors of the card: a checkpoint says that they
were on "cuda:0", and what is loaded to "cuda" lies on the card again."""

from __future__ import annotations

import contextlib
import weakref
from typing import Any, Dict, Iterator, Optional

import torch

from . import functions

# torch's own for CUDA has 20; the lowest is asked first.
_PRIORITY = 5


class _Storages:
    """Storages of the CPU that stand for some of the card while a file is written or
    read, by their addresses."""

    def __init__(self) -> None:
        self._known: Dict[int, Any] = {}

    def add(self, storage: Any) -> None:
        key = storage._cdata
        self._known[key] = weakref.ref(
            storage, lambda _: self._known.pop(key, None))

    def __contains__(self, storage: Any) -> bool:
        return getattr(storage, "_cdata", None) in self._known


_written, _read = _Storages(), _Storages()


def reduced(tensor: Any, protocol: Any) -> Any:
    """What pickle writes for a tensor of the card."""
    made = tensor.detach().cpu()
    inner = getattr(tensor, "_card_inner", made)
    if inner.device.type == "cpu":
        made = inner.detach()  # with the storage that other tensors share
    _written.add(made.untyped_storage())
    if isinstance(tensor, torch.nn.Parameter):
        made = torch.nn.Parameter(made, tensor.requires_grad)
    elif made.is_floating_point() or made.is_complex():
        made.requires_grad_(tensor.requires_grad)
    return made.__reduce_ex__(protocol)


def _tag(storage: Any) -> Optional[str]:
    storage = getattr(storage, "_untyped_storage", storage)
    return str(functions.CARD) if storage in _written else None


def _restore(storage: Any, location: Any) -> Any:
    from .device import current
    if current() is None or not functions.is_card(location):
        return None
    _read.add(getattr(storage, "_untyped_storage", storage))
    return storage


torch.serialization.register_package(_PRIORITY, _tag, _restore)


@contextlib.contextmanager
def installed(owner: Any) -> Iterator[None]:
    """Tensors of a file are moved to the card where their storages belong there."""
    original = torch._utils._rebuild_tensor
    moved: Dict[int, Any] = {}  # storages that several tensors share

    def rebuilt(storage: Any, offset: Any, size: Any, stride: Any) -> Any:
        inside = getattr(storage, "_untyped_storage", storage)
        if inside not in _read:
            return original(storage, offset, size, stride)
        known = moved.get(inside._cdata)
        if known is None or known[0]() is not inside:
            whole = original(storage, 0, (inside.nbytes() // storage.dtype.itemsize,),
                             (1,))
            known = (weakref.ref(inside), functions.moved_to_card(whole))
            moved[inside._cdata] = known
        return known[1].as_strided(size, stride, offset)

    torch._utils._rebuild_tensor = rebuilt
    try:
        yield
    finally:
        torch._utils._rebuild_tensor = original
