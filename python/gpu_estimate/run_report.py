"""The report of `gpu-estimate run` as dataclasses (docs/run.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .results import html_table, milliseconds


@dataclass(frozen=True)
class LaunchRecord:
    """One launch of the program on the time line."""

    name: str
    grid: Tuple[int, int, int]
    block: Tuple[int, int, int]
    dynamic_smem_bytes: int
    start_ms: float
    time_ms: float
    interval_ms: Optional[Tuple[float, float]]
    bottleneck: str
    executed: bool  # False: its results are missing
    arguments: Dict[str, str]
    assumptions: Tuple[str, ...]
    from_data: Tuple[str, ...]
    raw: Dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_json(cls, row: Dict[str, Any]) -> "LaunchRecord":
        return cls(row["name"], tuple(row["grid"]), tuple(row["block"]),
                   row["dynamic_smem_bytes"], row["start_ms"], row["time_ms"],
                   tuple(row["interval"]) if row["interval"] else None,
                   row["bottleneck"], row["executed"],
                   {a["name"]: a["value"] for a in row["arguments"]},
                   tuple(row["assumptions"]), tuple(row["from_data"]), row)


@dataclass(frozen=True)
class Totals:
    """Sums over the time line of one GPU."""

    gpu_ms: float
    copy_ms: float
    host_ms: float
    wall_ms: float
    idle_ms: float
    program_ms: float
    call_ms: float
    wait_ms: float


@dataclass(frozen=True)
class RunReport:
    """What a program did on one GPU."""

    gpu: str
    gpu_name: str
    launches: Sequence[LaunchRecord]
    totals: Totals
    faults: Sequence[str]
    notices: Sequence[str]
    raw: Dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_json(cls, found: Dict[str, Any]) -> "RunReport":
        return cls(found["gpu"], found["gpu_name"],
                   [LaunchRecord.from_json(row) for row in found["launches"]],
                   Totals(**found["totals"]), list(found["faults"]),
                   list(found["notices"]), found)

    @classmethod
    def all_of(cls, found: Dict[str, Any]) -> List["RunReport"]:
        """Of a report of `gpu-estimate run --format json`."""
        return [cls.from_json(run) for run in found.get("runs", [found])]

    def _repr_html_(self) -> str:
        rows = [["kernel", "grid", "block", "time", "bound"]]
        for row in self.launches:
            rows.append([row.name, "x".join(map(str, row.grid)),
                         "x".join(map(str, row.block)),
                         milliseconds(row.time_ms), row.bottleneck])
        return f"<p>{self.gpu_name}</p>\n" + html_table(rows)
