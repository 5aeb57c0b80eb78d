"""What of torch's tensors the prices of operations depend on."""

from __future__ import annotations

from typing import Any, Iterator

import torch

from .prices import TensorInfo


def flat(value: Any) -> Iterator[Any]:
    """The values of nested lists and tuples, or the value itself."""
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from flat(part)
    else:
        yield value


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    return (part for part in flat(value) if isinstance(part, torch.Tensor))


def info(tensor: torch.Tensor) -> TensorInfo:
    if tensor.layout != torch.strided:
        return TensorInfo(tuple(tensor.shape), str(tensor.dtype)[6:], None,
                          tensor._nnz())
    strides = None if tensor.is_contiguous() else tuple(tensor.stride())
    return TensorInfo(tuple(tensor.shape), str(tensor.dtype)[6:], strides)


def infos(value: Any) -> Any:
    """An argument with TensorInfo in place of tensors."""
    if isinstance(value, torch.Tensor):
        return info(value)
    if isinstance(value, list):
        return [infos(part) for part in value]
    return value
