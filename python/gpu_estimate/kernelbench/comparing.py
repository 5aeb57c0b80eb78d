"""Compares the results of a solution with those of the reference. Needs NumPy, not
torch.

    >>> import numpy
    >>> x = numpy.ones((2, 2), numpy.float32)
    >>> compare(x, x + 1e-5, 1e-4).is_equal
    True
    >>> print(compare(x, numpy.ones(4, numpy.float32), 1e-4).message)
    the result has shape (4,) in place of (2, 2)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Tuple

# KernelBench's get_tolerance_for_precision(): absolute and relative.
TOLERANCES = {"float32": 1e-4, "float64": 1e-4, "float16": 1e-2, "bfloat16": 1e-2}
# Its first release compared all types with this.
FIRST_TOLERANCE = 1e-2


def tolerance_of(dtype: str) -> float:
    """By the type's name; integers must be equal.

    >>> tolerance_of("bfloat16"), tolerance_of("int64")
    (0.01, 0.0)
    """
    return TOLERANCES.get(dtype, 0.0)


@dataclass(frozen=True)
class Comparison:
    """The first difference, if there is one."""

    is_equal: bool
    message: str = ""
    max_error: float = 0.0  # absolute, over all elements
    wrong_elements: int = 0
    where: Optional[Tuple[int, ...]] = None  # of the largest excess


def compare(expected: Any, actual: Any, tolerance: float) -> Comparison:
    """As torch.allclose(expected, actual, tolerance, tolerance): |a - e| <=
    tolerance + tolerance * |a|. NaN equals nothing."""
    import numpy
    if expected.shape != actual.shape:
        return Comparison(False, f"the result has shape {tuple(actual.shape)} in place "
                          f"of {tuple(expected.shape)}")
    if expected.size == 0:
        return Comparison(True)
    wide = numpy.float64 if expected.dtype.kind == "f" else expected.dtype
    e, a = expected.astype(wide), actual.astype(wide)
    if expected.dtype.kind != "f" and tolerance == 0:
        wrong = e != a
        return _judged(wrong, numpy.abs(e.astype(float) - a.astype(float)), e, a)
    with numpy.errstate(invalid="ignore"):
        error = numpy.abs(e - a)
        same_infinity = numpy.isinf(e) & (e == a)
        error = numpy.where(same_infinity, 0.0, error)
        excess = error - tolerance - tolerance * numpy.abs(a)
        wrong = ~(excess <= 0) & ~same_infinity
    return _judged(wrong, error, e, a)


def _judged(wrong: Any, error: Any, expected: Any, actual: Any) -> Comparison:
    import numpy
    count = int(wrong.sum())
    finite = error[numpy.isfinite(error)]
    largest = float(finite.max()) if finite.size else 0.0
    if not count:
        return Comparison(True, "", largest)
    place = numpy.unravel_index(
        int(numpy.argmax(numpy.where(wrong, numpy.nan_to_num(error, nan=numpy.inf),
                                     -1.0))), wrong.shape)
    where = tuple(int(i) for i in place)
    return Comparison(
        False, f"{count} of {wrong.size} elements are wrong: {actual[where]:.6g} in "
        f"place of {expected[where]:.6g} at {list(where)}", largest, count, where)
