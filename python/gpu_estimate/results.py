"""Predictions as dataclasses; the unit is a part of each name."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from . import service


@dataclass(frozen=True)
class Launch:
    """The shape of a launch."""

    grid: Tuple[int, int, int]  # thread blocks
    block: Tuple[int, int, int]  # threads
    dynamic_smem_bytes: int
    source: str  # where it comes from: "command-line", "host-code", ...


@dataclass(frozen=True)
class Interval:
    """The measured time lies between both with a probability of `level`."""

    level: float
    low_ms: float
    high_ms: float


@dataclass(frozen=True)
class Assumption:
    """A value that the input does not tell."""

    what: str
    value: float
    settle: str  # the option that sets it
    interval_share: float  # of the width of the interval


@dataclass(frozen=True)
class Estimate:
    """The predicted time of one kernel and launch on one GPU.

    `time_ms` is None where a size that decides the work is not known; `unknown`
    names it and `curve` has the time at some of its values.
    """

    name: str
    gpu: str
    launch: Launch
    time_ms: Optional[float]
    interval: Optional[Interval]
    bottleneck: str
    breakdown: Dict[str, float]  # fractions of the time
    occupancy_fraction: float
    registers_per_thread: int
    assumptions: Tuple[Assumption, ...]
    premises: Tuple[str, ...]
    defer_reason: str  # why not to choose by this number; "" if there is none
    summary: str
    location: Optional[Tuple[str, int]] = None  # file and line
    unknown: str = ""
    curve: Tuple[Dict[str, Any], ...] = ()
    raw: Dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_json(cls, found: Dict[str, Any]) -> "Estimate":
        """Of one entry of `estimates` (docs/serve.md)."""
        place = found.get("location")
        shape = found["launch"]
        between = found.get("interval")
        return cls(
            name=found["kernel"], gpu=found["gpu"],
            launch=Launch(tuple(shape["grid"]), tuple(shape["block"]),
                          shape["dynamic_smem_bytes"], shape["source"]),
            time_ms=found["time_ms"],
            interval=Interval(**between) if between else None,
            bottleneck=found["bottleneck"], breakdown=dict(found["breakdown"]),
            occupancy_fraction=found["occupancy"],
            registers_per_thread=found["registers"],
            assumptions=tuple(Assumption(a["what"], a["value"], a["settle"],
                                         a["interval_share"])
                              for a in found["assumptions"]),
            premises=tuple(found["premises"]),
            defer_reason=found.get("defer_reason", ""),
            summary=found["summary"],
            location=(place["file"], place["line"]) if place else None,
            unknown=found.get("unknown", ""),
            curve=tuple(found.get("curve", ())), raw=found)

    def __str__(self) -> str:
        return self.summary

    def _repr_html_(self) -> str:
        return Predictions([self])._repr_html_()


@dataclass(frozen=True)
class WithoutEstimate:
    """A kernel that has no prediction."""

    kernel: str
    reason: str
    location: Optional[Tuple[str, int]] = None


@dataclass(frozen=True)
class Predictions(Sequence[Estimate]):
    """The estimates of one request, kernel by kernel and GPU by GPU."""

    estimates: Sequence[Estimate]
    without_estimate: Sequence[WithoutEstimate] = ()
    notices: Sequence[str] = ()

    @classmethod
    def from_json(cls, found: Dict[str, Any]) -> "Predictions":
        """Of the result of `estimate` (docs/serve.md)."""

        def place(row: Dict[str, Any]) -> Optional[Tuple[str, int]]:
            at = row.get("location")
            return (at["file"], at["line"]) if at else None

        return cls([Estimate.from_json(e) for e in found["estimates"]],
                   [WithoutEstimate(row["kernel"], row["reason"], place(row))
                    for row in found["without_estimate"]],
                   [row["text"] for row in found["notices"]])

    def __getitem__(self, index: Any) -> Any:
        return self.estimates[index]

    def __len__(self) -> int:
        return len(self.estimates)

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.estimates)

    def __str__(self) -> str:
        lines = [e.summary for e in self.estimates]
        lines += [f"'{row.kernel}' has no estimate: {row.reason}"
                  for row in self.without_estimate]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [["kernel", "GPU", "time", "interval", "bound", "occupancy"]]
        for e in self.estimates:
            rows.append([e.name, e.gpu, milliseconds(e.time_ms),
                         f"{milliseconds(e.interval.low_ms)} to "
                         f"{milliseconds(e.interval.high_ms)}"
                         if e.interval else "", e.bottleneck,
                         f"{100 * e.occupancy_fraction:.0f}%"])
        for row in self.without_estimate:
            rows.append([row.kernel, "", row.reason, "", "", ""])
        return html_table(rows)


def milliseconds(time_ms: Optional[float]) -> str:
    """
    >>> milliseconds(0.0123456), milliseconds(12.5), milliseconds(None)
    ('12.3 us', '12.5 ms', 'not known')
    """
    if time_ms is None:
        return "not known"
    for factor, unit in ((1, "ms"), (1e3, "us")):
        if time_ms * factor >= 1:
            return f"{time_ms * factor:.3g} {unit}"
    return f"{time_ms * 1e6:.3g} ns"


def html_table(rows: List[List[str]]) -> str:
    """The first row is the head."""
    lines = ["<table>"]
    for number, row in enumerate(rows):
        cell = "td" if number else "th"
        lines.append("<tr>" + "".join(f"<{cell}>{html.escape(text)}</{cell}>"
                                      for text in row) + "</tr>")
    return "\n".join([*lines, "</table>"])


def predict(compiled: Any = None, **parameters: Any) -> Predictions:
    """estimate() with a typed result."""
    return Predictions.from_json(service.estimate(compiled, **parameters))
