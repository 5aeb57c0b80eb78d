"""What a PyTorch program did on a card: tables by operation, module and kernel,
memory over time, and a trace with the names of torch's profiler."""

from __future__ import annotations

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from .. import _installation
from ..results import html_table, milliseconds
from ..service import GpuEstimateError
from . import host_costs
from .allocator import in_words

# Predicted over measured time, between which four of five kernels lie. Passes: the
# 10th percentile of the dataset pytorch-kernels (docs/pytorch.md), and 1, which the
# 90th is below. Products: assumed, from the means and factors of the tables in
# docs/run.md#libraries.
PASS_SPREAD = (0.70, 1.0)
PRODUCT_SPREAD = (0.55, 1.15)


def spread_of(launch: Any) -> Tuple[float, float]:
    """Milliseconds between which a launch lies with probability 80%."""
    if launch.interval_ms:
        return launch.interval_ms
    spread = PASS_SPREAD if launch.name.startswith("at::") else PRODUCT_SPREAD
    return launch.time_ms / spread[1], launch.time_ms / spread[0]


@dataclass(frozen=True)
class Row:
    """A line of a table."""

    name: str
    calls: int
    kernels: int
    gpu_ms: float
    share: float  # of the time of all kernels


class TorchRun:
    """The operations of a program under one card; times are known after its
    `with` statement."""

    def __init__(self, card: Any, owner: Any) -> None:
        self._card, self._owner = card, owner
        self.gpu = card.name

    def end(self) -> None:
        """Tells the report of the run what only this process knows."""
        from .. import runtime
        lib = runtime.library()
        if not self._owner.operations:
            return
        for text in self.notices:
            lib.gpu_estimate_notice(text.encode())

    @property
    def notices(self) -> List[str]:
        found = [f"{text} ({count} times)" if count > 1 else text
                 for text, count in self._owner.notices.items()]
        for name, count in sorted(self._owner.unpriced.items()):
            found.append(f"{name} has no price: its {count} calls are taken for one "
                         "pass over their tensors, which is too short")
        found.append(host_costs.ASSUMPTION)
        found.append(f"at most {in_words(self.peak_allocated_bytes)} are allocated, "
                     f"{in_words(self.peak_reserved_bytes)} reserved")
        return found

    @property
    def unpriced(self) -> Dict[str, int]:
        """Operations without a price, and their calls."""
        return dict(self._owner.unpriced)

    @property
    def peak_allocated_bytes(self) -> int:
        return self._owner.allocator.allocated_bytes.peak

    @property
    def peak_reserved_bytes(self) -> int:
        return self._owner.allocator.reserved_bytes.peak

    @property
    def kernel_count(self) -> int:
        return len(self._owner.launched)

    @property
    def total_ms(self) -> float:
        """From the first call to the last kernel or wait."""
        return self._card.report.totals.wall_ms

    @property
    def gpu_ms(self) -> float:
        return sum(launch.time_ms for launch in self._card.report.launches)

    @property
    def interval_ms(self) -> Tuple[float, float]:
        """Of gpu_ms, with probability 80% for each kernel; all may err the same
        way."""
        found = [spread_of(launch) for launch in self._card.report.launches]
        return sum(low for low, _ in found), sum(high for _, high in found)

    @property
    def bound(self) -> str:
        """What most of the time goes into."""
        totals = self._card.report.totals
        if totals.wall_ms <= 0:
            return "nothing"
        if totals.gpu_ms + totals.copy_ms < 0.8 * totals.wall_ms:
            return "host: the GPU waits for launches"
        if totals.copy_ms > totals.gpu_ms:
            return "copies between host and GPU"
        by_bound: Dict[str, float] = {}
        for launch in self._card.report.launches:
            by_bound[launch.bottleneck] = by_bound.get(
                launch.bottleneck, 0) + launch.time_ms
        return max(by_bound, key=lambda name: by_bound[name])

    def operations(self) -> List[Row]:
        return self._table(lambda op, launch: op.name + (
            " (backward)" if op.is_backward else ""))

    def modules(self) -> List[Row]:
        return self._table(lambda op, launch: (op.module or "(outside of modules)")
                           + (" backward" if op.is_backward else ""))

    def kernels(self) -> List[Row]:
        return self._table(lambda op, launch: launch.name if launch else "")

    def memory_over_time(self) -> List[Tuple[float, int]]:
        """Milliseconds, and bytes that are allocated, at each change."""
        starts: Dict[int, float] = {}
        for operation, launch in self._launches():
            starts.setdefault(operation, launch.start_ms)
        found, last = [], 0.0
        for operation, size in self._owner.memory:
            last = max(last, starts.get(operation, last))
            found.append((last, size))
        return found

    def to_json(self) -> Dict[str, Any]:
        """gpu-estimate-torch/1 (docs/pytorch.md)."""
        low, high = self.interval_ms

        def rows(table: Sequence[Row]) -> List[Dict[str, Any]]:
            return [dict(vars(row)) for row in table]

        return {
            "schema": "gpu-estimate-torch/1", "gpu": self._card.report.gpu,
            "gpu_name": self._card.report.gpu_name, "total_ms": self.total_ms,
            "gpu_ms": self.gpu_ms, "interval_ms": [low, high], "bound": self.bound,
            "kernel_count": self.kernel_count,
            "peak_allocated_bytes": self.peak_allocated_bytes,
            "peak_reserved_bytes": self.peak_reserved_bytes,
            "operations": rows(self.operations()), "modules": rows(self.modules()),
            "kernels": rows(self.kernels()), "unpriced": self.unpriced,
            "notices": self.notices}

    def chrome_trace(self, file: Union[str, Path]) -> None:
        """Writes the time line of the first GPU as torch.profiler does: categories
        `cpu_op`, `cuda_runtime`, `kernel`, `gpu_memcpy` and `gpu_memset`."""
        with tempfile.TemporaryDirectory(prefix="gpu-estimate-trace") as folder:
            saved, made = Path(folder) / "saved.gpurun", Path(folder) / "trace.json"
            saved.write_bytes(self._card.saved)
            done = subprocess.run(
                [_installation.command(), "run", str(saved), "--gpu", self._card.id,
                 "--format", "chrome-trace", "-o", str(made)], capture_output=True,
                text=True)
            if done.returncode or not made.exists():
                raise GpuEstimateError(done.stderr.strip() or "no trace was made")
            trace = json.loads(made.read_text())
        events = [event for event in trace["traceEvents"]
                  if event.get("cat") != "cpu_op"]
        trace["traceEvents"] = events + self._operation_events(events)
        Path(file).write_text(json.dumps(trace))

    def _operation_events(self, events: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
        """An operation lasts from its dispatch to the return of its last launch."""
        kernels = sorted((e for e in events if e.get("cat") == "kernel"),
                         key=lambda e: e["args"]["correlation"])
        owners = {event["args"]["correlation"]: operation for event, (operation, _) in
                  zip(kernels, self._launches())}
        spans: Dict[int, List[float]] = {}
        host: Dict[str, Any] = {}
        for event in events:
            if event.get("cat") != "cuda_runtime":
                continue
            operation = owners.get(event["args"]["correlation"])
            if operation is None:
                continue
            host = {"pid": event["pid"], "tid": event["tid"]}
            event["args"]["External id"] = operation
            span = spans.setdefault(operation, [event["ts"], 0.0])
            span[1] = event["ts"] + event["dur"]
        found = []
        for number, (begin, end) in spans.items():
            op = self._owner.operations[number]
            cost_us = host_costs.of(op.is_backward, False) / 1e3
            found.append({"ph": "X", "cat": "cpu_op", "name": op.name, **host,
                          "ts": begin - cost_us, "dur": end - begin + cost_us,
                          "args": {"External id": number, "Input Dims": op.shapes,
                                   "Module Hierarchy": op.module}})
        return found

    def __str__(self) -> str:
        low, high = self.interval_ms
        lines = [f"{self._card.report.gpu_name}: {milliseconds(self.total_ms)}, of "
                 f"which kernels {milliseconds(self.gpu_ms)} "
                 f"({milliseconds(low)} to {milliseconds(high)}); bound by "
                 f"{self.bound}",
                 f"{self.kernel_count} kernels of {len(self._owner.operations)} "
                 f"operations; at most {in_words(self.peak_allocated_bytes)} "
                 f"allocated, {in_words(self.peak_reserved_bytes)} reserved", ""]
        for title, table in (("operation", self.operations()),
                             ("module", self.modules()),
                             ("kernel", self.kernels())):
            lines.append(f"  {title:<58} {'calls':>6} {'kernels':>8} "
                         f"{'time':>10} {'share':>6}")
            for row in table[:15]:
                lines.append(f"  {row.name[:58]:<58} {row.calls:>6} "
                             f"{row.kernels:>8} {milliseconds(row.gpu_ms):>10} "
                             f"{row.share:>6.1%}")
            if len(table) > 15:
                lines.append(f"  ... and {len(table) - 15} more")
            lines.append("")
        return "\n".join(lines + [f"  note: {text}" for text in self.notices])

    def _repr_html_(self) -> str:
        if not self._card.reports:
            return str(self._card)
        low, high = self.interval_ms
        found = [f"<p>{self._card.report.gpu_name}: {milliseconds(self.total_ms)}, "
                 f"kernels {milliseconds(self.gpu_ms)} ({milliseconds(low)} to "
                 f"{milliseconds(high)}), bound by {self.bound}; peak "
                 f"{in_words(self.peak_allocated_bytes)}</p>"]
        for title, table in (("operation", self.operations()),
                             ("module", self.modules()),
                             ("kernel", self.kernels())):
            found.append(html_table([[title, "calls", "kernels", "time", "share"]] + [
                [row.name, str(row.calls), str(row.kernels),
                 milliseconds(row.gpu_ms), f"{row.share:.1%}"]
                for row in table[:20]]))
        return "\n".join(found)

    def _launches(self) -> List[Tuple[int, Any]]:
        """Operation and launch record of each kernel. A kernel without a model on
        this GPU has no launch in the report."""
        found, rest = [], iter(self._card.report.launches)
        launch = next(rest, None)
        for operation, name in self._owner.launched:
            if launch is not None and name in ("", launch.name):
                found.append((operation, launch))
                launch = next(rest, None)
        if launch is not None:
            raise GpuEstimateError("the report has launches that the program did not "
                                   f"make, such as {launch.name}")
        return found

    def _table(self, name_of: Callable[[Any, Any], str]) -> List[Row]:
        times: Dict[str, float] = {}
        kernels: Dict[str, int] = {}
        calls: Dict[str, set] = {}
        for number, launch in self._launches():
            name = name_of(self._owner.operations[number], launch)
            times[name] = times.get(name, 0) + launch.time_ms
            kernels[name] = kernels.get(name, 0) + 1
            calls.setdefault(name, set()).add(number)
        for number, operation in enumerate(self._owner.operations):
            name = name_of(operation, None)
            if name:
                calls.setdefault(name, set()).add(number)
        total = sum(times.values()) or 1
        rows = [Row(name, len(calls[name]), kernels.get(name, 0),
                    times.get(name, 0), times.get(name, 0) / total)
                for name in calls]
        return sorted(rows, key=lambda row: -row.gpu_ms)
