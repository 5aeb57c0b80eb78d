"""Classes of torch that are made for a device: torch.Generator(device="cuda"), and the
types of tensors of the first versions, torch.cuda.FloatTensor and its kin."""

from __future__ import annotations

import numbers
from typing import Any, List, Tuple

import torch

from . import functions

_TYPES = {"Float": torch.float32, "Double": torch.float64, "Half": torch.float16,
          "BFloat16": torch.bfloat16, "Int": torch.int32, "Long": torch.int64,
          "Short": torch.int16, "Char": torch.int8, "Byte": torch.uint8,
          "Bool": torch.bool}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}
_PREFIX = "torch.cuda."

_Generator = torch.Generator


class _GeneratorMeta(type(_Generator)):  # type: ignore[misc]
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, _Generator)


class Generator(_Generator, metaclass=_GeneratorMeta):
    """A generator of the CPU, which says that it is the card's where it was made for
    it."""

    _is_of_card = False

    def __new__(cls, device: Any = "cpu") -> "Generator":
        on_card = functions.is_card(device)
        made = super().__new__(cls, device="cpu" if on_card else device)
        made._is_of_card = on_card
        return made

    def __init__(self, device: Any = "cpu") -> None:
        pass

    @property
    def device(self) -> Any:
        return functions.CARD if self._is_of_card else super().device


class _TensorType(type):
    dtype: torch.dtype

    def __instancecheck__(cls, value: Any) -> bool:
        return functions.is_on_card(value) and value.dtype == cls.dtype

    def __call__(cls, *args: Any, **_: Any) -> Any:
        """Makes a tensor of sizes, or of data: a list, an array of NumPy, a tensor."""
        if len(args) == 1 and isinstance(args[0], torch.Tensor):
            return args[0].to(functions.CARD, cls.dtype)
        if len(args) == 1 and not isinstance(args[0], torch.Size) and \
                not isinstance(args[0], numbers.Integral):
            return torch.tensor(args[0], dtype=cls.dtype, device=functions.CARD)
        return torch.empty(*(args or (0,)), dtype=cls.dtype, device=functions.CARD)


_CLASSES = {name: _TensorType(f"{name}Tensor", (), {"dtype": dtype,
                                                     "__module__": "torch.cuda"})
            for name, dtype in _TYPES.items()}


def type_of(func: Any, args: Any, kwargs: Any) -> Any:
    """Tensor.type(): the name of its type, or a conversion to one."""
    tensor = args[0]
    target = args[1] if len(args) > 1 else kwargs.get("dtype")
    if target is None:
        return f"{_PREFIX}{_NAMES[tensor.dtype]}Tensor" \
            if functions.is_on_card(tensor) and tensor.dtype in _NAMES \
            else func(*args, **kwargs)
    if isinstance(target, str) and target.startswith(_PREFIX):
        target = _CLASSES[target[len(_PREFIX):-len("Tensor")]]
    if isinstance(target, _TensorType):
        return tensor.to(functions.CARD, target.dtype)
    if functions.is_on_card(tensor) and isinstance(target, (str, type)):
        # A type of the CPU.
        empty = torch.empty(0, device="cpu").type(target)
        return tensor.to("cpu", empty.dtype)
    return tensor.to(target) if isinstance(target, torch.dtype) else \
        func(*args, **kwargs)


class _OfAnyDevice(type):
    """torch.Stream and torch.Event, which are the card's where they name it."""

    original: Any
    of_card: Any

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, (cls.original, cls.of_card))

    def __call__(cls, device: Any = None, *args: Any, **kwargs: Any) -> Any:
        if device is None or functions.is_card(device):
            return cls.of_card(*args, **kwargs)
        return cls.original(device, *args, **kwargs)


def of_any_device(stream: Any, event: Any) -> List[Tuple[Any, str, Any]]:
    """stream, event: those of torch.cuda."""
    return [(torch, name, _OfAnyDevice(name, (), {
        "original": getattr(torch, name), "of_card": of_card}))
        for name, of_card in (("Stream", stream), ("Event", event))
        if hasattr(torch, name)]


def replacements() -> List[Tuple[Any, str, Any]]:
    return [(torch, "Generator", Generator),
            *((torch.cuda, f"{name}Tensor", kind) for name, kind in _CLASSES.items())]
