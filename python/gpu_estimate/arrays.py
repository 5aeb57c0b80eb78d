"""The memory of arrays: NumPy, `__array_interface__`, DLPack, tensors.

No library is needed for that: NumPy is imported for DLPack alone.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Optional, Tuple


@dataclass(frozen=True)
class Memory:
    """The bytes that an array may touch: those of the array that it is a view
    of, if that is known."""

    address: int  # of element [0, ..., 0]
    first: int  # address of the first byte of all
    bytes: int
    dtype: str  # "float32", "int64", "bfloat16", ...
    is_read_only: bool
    owner: Any  # keeps the memory alive


class _ElementType(str):
    """The name of a type, and its bytes."""

    itemsize: int


class Tensor:
    """An array with the methods by which Triton looks at torch's tensors: what
    its TensorDescriptor needs of NumPy's.

        TensorDescriptor.from_tensor(gpu_estimate.Tensor(x), [64, 64])
    """

    def __init__(self, array: Any) -> None:
        self.array = array
        self.__array_interface__ = array.__array_interface__
        found = _interface(array)
        self.base = array
        self.shape = tuple(self.__array_interface__["shape"])
        self._bytes = int(self.__array_interface__["typestr"][2:])
        self.dtype = _ElementType(found.dtype)
        self.dtype.itemsize = self._bytes

    def data_ptr(self) -> int:
        return self.__array_interface__["data"][0]

    def element_size(self) -> int:
        return self._bytes

    def numel(self) -> int:
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    def dim(self) -> int:
        return len(self.shape)

    def stride(self, axis: Optional[int] = None) -> Any:
        """In elements."""
        steps = self.__array_interface__.get("strides")
        if steps is None:
            steps, step = [], self._bytes
            for extent in reversed(self.shape):
                steps.insert(0, step)
                step *= extent
        found = tuple(step // self._bytes for step in steps)
        return found if axis is None else found[axis]


def memory_of(array: Any) -> Optional[Memory]:
    """None for what is no array in memory of this process.

    >>> class Pair:
    ...     def __init__(self, address):
    ...         self.__array_interface__ = {
    ...             "data": (address, False), "shape": (4, 2), "typestr": "<f4",
    ...             "strides": (16, 4), "version": 3}
    >>> found = memory_of(Pair(4096))
    >>> found.address, found.first, found.bytes, found.dtype
    (4096, 4096, 56, 'float32')
    """
    if isinstance(array, (bool, int, float, complex, str, bytes, type(None))):
        return None
    inner = getattr(array, "_card_inner", None)  # of pytorch.device.CardTensor
    if inner is not None and hasattr(inner, "untyped_storage"):
        return _card_tensor(array, inner)
    if hasattr(array, "untyped_storage"):
        return _tensor(array)
    if hasattr(array, "__array_interface__"):
        return _interface(array)
    if hasattr(array, "__dlpack__"):
        return _dlpack(array)
    if hasattr(array, "data_ptr") and hasattr(array, "dtype"):
        return _pointer(array)
    return None


def _tensor(tensor: Any) -> Memory:
    device = str(getattr(tensor, "device", "cpu"))
    if device != "cpu":
        raise TypeError(f"a tensor on device '{device}' has no memory here: pass "
                        "one on 'cpu'")
    storage = tensor.untyped_storage()
    return Memory(tensor.data_ptr(), storage.data_ptr(), storage.nbytes(),
                  str(tensor.dtype).rpartition(".")[2], False, tensor)


def _card_tensor(tensor: Any, inner: Any) -> Memory:
    if str(inner.device) == "cpu":
        return _tensor(inner)
    address = tensor.data_ptr()
    first = address - inner.storage_offset() * inner.element_size()
    return Memory(address, first, inner.untyped_storage().nbytes(),
                  str(inner.dtype).rpartition(".")[2], False, tensor)


_KINDS = {"f": "float", "i": "int", "u": "uint", "b": "bool"}


def _interface(array: Any) -> Memory:
    found = array.__array_interface__
    kind, size = found["typestr"][1], int(found["typestr"][2:])
    named = str(getattr(getattr(array, "dtype", None), "name", ""))
    if kind in _KINDS:
        name = "bool" if kind == "b" else f"{_KINDS[kind]}{8 * size}"
    elif named.startswith(("bfloat16", "float8")):
        name = named
    else:
        raise TypeError(f"an array of type '{named or found['typestr']}': kernels "
                        "take numbers and bool")
    if found["typestr"][0] == ">" and size > 1:
        raise TypeError("an array in big-endian order: convert it by "
                        "a.astype(a.dtype.newbyteorder('='))")
    address, is_read_only = found["data"]
    whole = array
    while True:
        base = getattr(whole, "base", None)
        if base is None or not hasattr(base, "__array_interface__"):
            break
        whole = base
    first, count = _extent(whole.__array_interface__)
    return Memory(address, first, count, name, bool(is_read_only), array)


def _extent(interface: Any) -> Tuple[int, int]:
    """Address and number of the bytes between the lowest and the highest."""
    address = interface["data"][0]
    size = int(interface["typestr"][2:])
    shape = interface["shape"]
    if any(extent == 0 for extent in shape):
        return address, 0
    strides = interface.get("strides")
    if strides is None:
        total = size
        for extent in shape:
            total *= extent
        return address, total
    below = sum((n - 1) * s for n, s in zip(shape, strides) if s < 0)
    above = sum((n - 1) * s for n, s in zip(shape, strides) if s > 0)
    return address + below, above - below + size


def _dlpack(array: Any) -> Memory:
    numpy = sys.modules.get("numpy")
    if numpy is None:
        import numpy
    try:
        view = numpy.from_dlpack(array)
    except (BufferError, RuntimeError, ValueError, TypeError) as problem:
        raise TypeError(f"an array of {type(array).__name__} that NumPy cannot "
                        f"read by DLPack: {problem}") from problem
    found = _interface(view)
    return Memory(found.address, found.first, found.bytes, found.dtype,
                  found.is_read_only, view)


def _pointer(array: Any) -> Memory:
    """What has `data_ptr`, `dtype` and a size, as Triton asks for."""
    address = array.data_ptr()
    if hasattr(array, "nbytes"):
        count = array.nbytes
        count = count() if callable(count) else count
    elif hasattr(array, "numel") and hasattr(array, "element_size"):
        count = array.numel() * array.element_size()
    else:
        raise TypeError(f"{type(array).__name__} has data_ptr() but neither "
                        "nbytes nor numel() and element_size(): its size is not "
                        "known")
    return Memory(address, address, count, str(array.dtype).rpartition(".")[2],
                  False, array)
