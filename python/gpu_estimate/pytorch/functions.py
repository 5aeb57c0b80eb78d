"""Functions of torch that look at devices before any operation is dispatched:
conversions, tensors from data, and operations that CUDA does by one kernel."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional

import torch

CARD = torch.device("cuda", 0)


def is_card(target: Any) -> bool:
    """Does it name the card? RuntimeError for another GPU."""
    if isinstance(target, int) and not isinstance(target, bool):
        target = torch.device("cuda", target)
    if isinstance(target, str):
        if not target.startswith("cuda"):
            return False
        target = torch.device(target)
    if not isinstance(target, torch.device) or target.type != "cuda":
        return False
    if target.index:
        raise RuntimeError("CUDA error: invalid device ordinal (one card is "
                           "modelled)")
    return True


def is_on_card(tensor: Any) -> bool:
    return getattr(tensor, "_card_inner", None) is not None


def _to(func: Any, args: Any, kwargs: Any) -> Any:
    """Tensor.to(device, dtype, non_blocking, copy), .to(dtype), .to(other)."""
    tensor, rest = args[0], list(args[1:])
    device, dtype = kwargs.get("device"), kwargs.get("dtype")
    other = kwargs.get("other")
    if rest and isinstance(rest[0], torch.Tensor):
        other = rest.pop(0)
    elif rest and isinstance(rest[0], torch.dtype):
        dtype = rest.pop(0)
    elif rest and (rest[0] is None or not isinstance(rest[0], bool)):
        device = rest.pop(0)
        if rest and (rest[0] is None or isinstance(rest[0], torch.dtype)):
            dtype = rest.pop(0) or dtype
    if other is not None:
        device, dtype = other.device, other.dtype
    non_blocking = rest[0] if rest else kwargs.get("non_blocking", False)
    copy = rest[1] if len(rest) > 1 else kwargs.get("copy", False)
    more = {"memory_format": kwargs["memory_format"]} \
        if kwargs.get("memory_format") is not None else {}
    return _moved(tensor, device, dtype, bool(non_blocking), bool(copy), more)


def _moved(tensor: Any, device: Any, dtype: Any, non_blocking: bool, copy: bool,
           more: Dict[str, Any]) -> Any:
    here = is_on_card(tensor)
    to_card = device is not None and is_card(device)
    if device is not None and to_card != here:
        from .device import current
        owner = current()
        assert owner is not None
        owner.leaves_card = not to_card
        try:
            return torch.ops.aten._to_copy.default(
                tensor, dtype=dtype if dtype is not None else tensor.dtype,
                device=CARD if to_card else torch.device(device),
                non_blocking=non_blocking, **more)
        finally:
            owner.leaves_card = False
    if dtype is None and not copy and not more:
        return tensor
    return torch.Tensor.to(tensor, dtype=dtype or tensor.dtype, copy=copy,
                           non_blocking=non_blocking, **more)


def moved_to_card(tensor: Any) -> Any:
    return _moved(tensor, CARD, None, False, False, {})


def _cuda(func: Any, args: Any, kwargs: Any) -> Any:
    target = args[1] if len(args) > 1 else kwargs.get("device")
    blocking = args[2] if len(args) > 2 else kwargs.get("non_blocking", False)
    return _moved(args[0], CARD if target is None else target, None,
                  bool(blocking), False, {})


def _cpu(func: Any, args: Any, kwargs: Any) -> Any:
    return _moved(args[0], torch.device("cpu"), None, False, False, {})


def _from_data(func: Any, args: Any, kwargs: Any) -> Any:
    """torch.tensor(data, device=...): made on the CPU, and copied."""
    target = kwargs.pop("device", None)
    needs_gradient = kwargs.pop("requires_grad", False)
    if target is None:
        target = torch.get_default_device()
    if args and is_on_card(args[0]) and func is torch.as_tensor:
        return _moved(args[0], target if kwargs.get("device") else None,
                      kwargs.get("dtype"), False, False, {})
    if not is_card(target):
        made = func(*args, device=target, **kwargs)
    else:
        made = _moved(func(*args, device="cpu", **kwargs), CARD, None, False,
                      False, {})
    return made.requires_grad_() if needs_gradient else made


def _sparse(func: Any, args: Any, kwargs: Any) -> Any:
    """torch.sparse_coo_tensor(indices, values, size, device=...) and its kin."""
    target = kwargs.get("device")
    if any(map(is_on_card, args)) or target is None or not is_card(target):
        if any(map(is_on_card, args)):
            kwargs.pop("device", None)
        return func(*args, **kwargs)
    return moved_to_card(func(*args, **{**kwargs, "device": "cpu"}))


def _new_tensor(func: Any, args: Any, kwargs: Any) -> Any:
    kwargs.setdefault("device", args[0].device)
    kwargs.setdefault("dtype", args[0].dtype)
    return _from_data(torch.tensor, args[1:], kwargs)


def _shares_kind(func: Any, args: Any, kwargs: Any) -> Any:
    """Module.cuda() asks whether a parameter may take the moved tensor's data. Under
    torch.inference_mode() the question is an operation of two devices."""
    if is_on_card(args[0]) != is_on_card(args[1]):
        return False
    return func(*args, **kwargs)


def _set_data(func: Any, args: Any, kwargs: Any) -> None:
    """tensor.data = value: what is inside goes along, and the class, by which the
    tensor has its device."""
    target, value = args
    was_parameter = isinstance(target, torch.nn.Parameter)
    func(target, value)
    inner = getattr(value, "_card_inner", None)
    if inner is not None:
        target._card_inner = inner
        target.__class__ = type(value) if type(value) is not torch.nn.Parameter \
            else target.__class__
    elif is_on_card(target):
        del target._card_inner
        target.__class__ = torch.nn.Parameter if was_parameter else torch.Tensor
    if was_parameter and type(target) is not torch.nn.Parameter:
        target._is_param = True


def _pin_memory(func: Any, args: Any, kwargs: Any) -> Any:
    from .device import current
    made = args[0].clone()
    owner = current()
    if owner is not None:
        owner.pin(made)
    return made


def _is_pinned(func: Any, args: Any, kwargs: Any) -> bool:
    from .device import current
    owner = current()
    return owner is not None and owner.is_pinned(args[0])


def _attention(func: Any, args: Any, kwargs: Any) -> Any:
    from .attention import scaled_dot_product_attention
    query = args[0] if args else kwargs["query"]
    if not is_on_card(query):
        return func(*args, **kwargs)
    return scaled_dot_product_attention(*args, **kwargs)


def _dropout(func: Any, args: Any, kwargs: Any) -> Any:
    """On CUDA one kernel makes the mask and applies it."""
    x = args[0] if args else kwargs["input"]
    p = args[1] if len(args) > 1 else kwargs.get("p", 0.5)
    train = args[2] if len(args) > 2 else kwargs.get("train", True)
    if not is_on_card(x) or not train or not 0 < p < 1 or x.numel() == 0:
        return func(*args, **kwargs)
    return torch.native_dropout(x, p, True)[0]


def _rms_norm(func: Any, args: Any, kwargs: Any) -> Any:
    fused = getattr(torch, "_fused_rms_norm", None)
    x = args[0] if args else kwargs["input"]
    if not is_on_card(x) or fused is None:
        return func(*args, **kwargs)
    shape = args[1] if len(args) > 1 else kwargs["normalized_shape"]
    weight = args[2] if len(args) > 2 else kwargs.get("weight")
    eps = args[3] if len(args) > 3 else kwargs.get("eps")
    return fused(x, shape, weight, eps)[0]


def _recurrent(func: Any, args: Any, kwargs: Any) -> Any:
    from .recurrent import performed
    return performed(func, args, kwargs)


def _numpy(func: Any, args: Any, kwargs: Any) -> Any:
    if is_on_card(args[0]):
        raise TypeError("can't convert cuda:0 device type tensor to numpy. Use "
                        "Tensor.cpu() to copy the tensor to host memory first.")
    return func(*args, **kwargs)


def _type(func: Any, args: Any, kwargs: Any) -> Any:
    from .legacy import type_of
    return type_of(func, args, kwargs)


def _padded(func: Any, args: Any, kwargs: Any) -> Any:
    from .recurrent import padded
    return padded(func, args, kwargs)


def _getter(name: str) -> Any:
    return getattr(torch.Tensor, name).__get__


Replacement = Callable[[Any, Any, Any], Any]
REPLACED: Dict[Any, Replacement] = {
    torch.Tensor.to: _to, torch.Tensor.cuda: _cuda, torch.Tensor.cpu: _cpu,
    torch.tensor: _from_data, torch.as_tensor: _from_data,
    torch.Tensor.new_tensor: _new_tensor, torch.Tensor.numpy: _numpy,
    torch.Tensor.type: _type,
    torch._has_compatible_shallow_copy_type: _shares_kind,
    torch.sparse_coo_tensor: _sparse, torch.sparse_csr_tensor: _sparse,
    torch.sparse_compressed_tensor: _sparse,
    torch.Tensor.data.__set__: _set_data,  # type: ignore[attr-defined]
    torch.Tensor.pin_memory: _pin_memory, torch.Tensor.is_pinned: _is_pinned,
    torch.nn.functional.scaled_dot_product_attention: _attention,
    torch.dropout: _dropout, torch.rms_norm: _rms_norm,
    torch._C._VariableFunctions._pad_packed_sequence: _padded,
    **{getattr(torch._C._VariableFunctions, name): _recurrent for name in (
        "lstm", "gru", "rnn_tanh", "rnn_relu", "lstm_cell", "gru_cell")},
}
