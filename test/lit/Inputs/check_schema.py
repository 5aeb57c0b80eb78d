"""Checks a JSON report against the contract "gpu-estimate/1".

    check_schema.py [REPORT] [--estimates N] [--unresolved N]

Reads standard input without REPORT. Prints "contract kept: E estimates, U
unresolved", or every break of the contract, and then exits with status 1.
"""

import argparse
import json
import math
import sys

NUMBER = (int, float)
LOCATION = {"file": str, "line": int, "column": int}
ESTIMATE = {
    "kernel": str, "name": str, "location": LOCATION, "gpu": str, "model": str,
    "launch": {"grid": [int], "block": [int], "dynamic_smem_bytes": int,
               "source": str},
    "time_ms": (*NUMBER, type(None)), "launch_overhead_ms": NUMBER,
    "execution_ms": (*NUMBER, type(None)),
    "bottleneck": str, "breakdown": dict,
    "lines": [{"file": str, "line": int, "share": NUMBER, "parts": dict}],
    "no_line": dict,
    "occupancy": {"blocks_per_sm": int, "warps_per_sm": int, "fraction": NUMBER,
                  "limited_by": str, "waves": NUMBER},
    "registers_per_thread": int, "registers_source": str,
    "machine_code": (dict, type(None)),
    "shared_bytes_per_block": int,
    "counts": {name: NUMBER for name in (
        "warp_instructions", "flop_fp32", "flop_fp64", "global_load_requests",
        "global_load_sectors", "global_store_requests", "global_store_sectors",
        "shared_wavefronts", "l2_bytes", "dram_bytes", "barriers")},
    "hit_rates": {"l1": NUMBER, "l2": NUMBER},
    "symbolic": {**{name: str for name in (
        "time", "delay", "mem", "uncoal_mem", "l1pct", "l2pct", "syncs",
        "registers", "shared_mem")},
        "delay_by_pipe": dict,
        "parameters": [{"name": str, "kind": str, "source": str}],
        "remarks": [str], "time_of_longest_warp_cycles": NUMBER},
    "assumptions": [{"what": str, "value": NUMBER, "why": str,
                     "sensitivity": NUMBER}],
    "advice": [{"id": str, "location": LOCATION, "text": str,
                "predicted_gain": NUMBER}],
}
# In place of a time, where a size is not known.
CURVE = {
    "unknown": {"name": str, "why": str, "settle": str, "others": dict},
    "curve": [{"value": NUMBER, "time_ms": NUMBER, "bound": str, "grid": [int],
               "block": [int]}],
}
REPORT = {
    "schema": str, "tool_version": str, "estimates": [ESTIMATE],
    "unresolved": [{"kernel": str, "location": LOCATION, "reason": str}],
}
SOURCES = {"command-line", "config", "annotation", "host-code", "compiler",
           "kernel", "default"}
LIMITS = {"registers", "shared", "threads", "blocks", "grid"}


class Checker:
    def __init__(self):
        self.problems = []

    def expect(self, holds, where, what):
        if not holds:
            self.problems.append(f"{where}: {what}")

    def shape(self, value, wanted, where):
        """Types and presence of fields."""
        if isinstance(wanted, dict):
            if not isinstance(value, dict):
                self.expect(False, where, "not an object")
                return
            for key, inner in wanted.items():
                if key in value:
                    self.shape(value[key], inner, f"{where}.{key}")
                else:
                    self.expect(False, where, f"has no '{key}'")
        elif isinstance(wanted, list):
            if not isinstance(value, list):
                self.expect(False, where, "not an array")
                return
            for index, item in enumerate(value):
                self.shape(item, wanted[0], f"{where}[{index}]")
        else:
            kept = isinstance(value, wanted) and not isinstance(value, bool)
            self.expect(kept, where, f"has the value {value!r}")
            if kept and isinstance(value, float):
                self.expect(math.isfinite(value), where, "is not finite")

    def meaning(self, estimate, where):
        """Relations between the fields of one estimate."""
        if estimate["time_ms"] is None:
            self.table(estimate, where)
        else:
            self.time(estimate, where)
        shares = estimate["breakdown"].values()
        self.expect(all(share >= 0 for share in shares), where,
                    "a negative part of the breakdown")
        self.expect(math.isclose(sum(shares), 1, abs_tol=1e-6), where,
                    f"the breakdown sums to {sum(shares)}")
        self.rest(estimate, where)

    def table(self, estimate, where):
        """The table over an unknown size, in place of a time."""
        self.shape(estimate, CURVE, where)
        if self.problems:
            return
        for name in ("interval", "execution_ms"):
            self.expect(estimate[name] is None, where, f"{name} without a time")
        values = [point["value"] for point in estimate["curve"]]
        self.expect(values and values == sorted(set(values)), where,
                    f"points at {values}")
        for point in estimate["curve"]:
            self.expect(point["time_ms"] > 0, where, "a point takes no time")

    def time(self, estimate, where):
        total = estimate["time_ms"]
        parts = estimate["launch_overhead_ms"] + estimate["execution_ms"]
        self.expect(total > 0, where, "takes no time")
        self.expect(math.isclose(total, parts, rel_tol=1e-9), where,
                    f"time {total} is not launch + execution {parts}")
        for name in ("launch_overhead_ms", "execution_ms"):
            self.expect(estimate[name] >= 0, where, f"negative {name}")
        if "power_w" in estimate:
            self.expect(math.isclose(estimate["power_w"] * total * 1e-3,
                                     estimate["energy_j"], rel_tol=1e-9),
                        where, "the energy is not power times time")
            shares = estimate["energy_breakdown"].values()
            self.expect(math.isclose(sum(shares), 1, abs_tol=1e-6), where,
                        f"the parts of the energy sum to {sum(shares)}")
            shares = [line["energy_share"] for line in estimate["lines"]]
            self.expect(-1e-9 <= sum(shares) <= 1 + 1e-6, where,
                        f"lines have {sum(shares)} of the energy")

    def rest(self, estimate, where):
        lines = [line["share"] for line in estimate["lines"]]
        lines += estimate["no_line"].values()
        self.expect(min(lines) >= 0, where, "a line of negative cost")
        self.expect(math.isclose(sum(lines), 1, abs_tol=1e-6), where,
                    f"the lines sum to {sum(lines)}")
        for name, count in estimate["counts"].items():
            if not isinstance(count, dict):
                self.expect(count >= 0, where, f"negative count {name}")
        for name, rate in estimate["hit_rates"].items():
            self.expect(0 <= rate <= 1, where, f"hit rate {name} = {rate}")
        launch, occupancy = estimate["launch"], estimate["occupancy"]
        for name in ("grid", "block"):
            sizes = launch[name]
            self.expect(len(sizes) == 3 and min(sizes) > 0, where,
                        f"{name} {sizes}")
        self.expect(launch["source"] in SOURCES, where,
                    f"launch from {launch['source']}")
        self.expect(0 < occupancy["fraction"] <= 1, where,
                    f"occupancy {occupancy['fraction']}")
        self.expect(occupancy["limited_by"] in LIMITS, where,
                    f"occupancy limited by {occupancy['limited_by']}")
        self.expect(estimate["location"]["line"] > 0, where, "has no place")
        for hint in estimate["advice"]:
            self.expect(0 < hint["predicted_gain"] < 1, where,
                        f"gain {hint['predicted_gain']}")

    def report(self, report):
        self.shape(report, REPORT, "report")
        if self.problems:
            return
        self.expect(report["schema"] == "gpu-estimate/1", "schema",
                    report["schema"])
        for index, estimate in enumerate(report["estimates"]):
            self.meaning(estimate, f"estimates[{index}] {estimate['name']}")
        for entry in report["unresolved"]:
            self.expect(entry["reason"], entry["kernel"], "no reason")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report", nargs="?")
    parser.add_argument("--estimates", type=int)
    parser.add_argument("--unresolved", type=int)
    arguments = parser.parse_args()
    source = open(arguments.report) if arguments.report else sys.stdin
    with source:
        report = json.load(source)
    checker = Checker()
    checker.report(report)
    for name in ("estimates", "unresolved"):
        wanted = getattr(arguments, name)
        if wanted is not None:
            checker.expect(len(report[name]) == wanted, name,
                           f"{len(report[name])} in place of {wanted}")
    for problem in checker.problems:
        print(problem)
    if checker.problems:
        sys.exit(1)
    print(f"contract kept: {len(report['estimates'])} estimates, "
          f"{len(report['unresolved'])} unresolved")


if __name__ == "__main__":
    main()
