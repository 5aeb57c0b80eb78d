#!/usr/bin/env python3
"""Synthetic raw samples: what the microbenchmarks would print on a GPU that is
as a model says, with a little noise. No GPU was measured.

    gpu-estimate gpus MODEL | synthesize.py FOLDER [--quick]

--quick: as few working sets as the programs take with that option.

The fit must give the model's values back from them; compare.py checks that.
"""

import json
import math
import os
import re
import sys

UNITS = {"": 1, "cycles": 1, "/cycle": 1, "B/cycle": 1, "B": 1, "KiB": 2**10,
         "MiB": 2**20, "GiB": 2**30, "GB": 1e9, "MHz": 1e6, "GHz": 1e9,
         "GB/s": 1e9, "TB/s": 1e12, "us": 1e-6, "ns": 1e-9, "W": 1,
         "pJ": 1e-12, "pJ/B": 1e-12}


def read_model(lines):
    values = {}
    for line in lines:
        match = re.match(r"(\S+)\s{2,}(\S.*?)(?:\s{2,}|$)", line)
        if not match:
            continue
        number = re.fullmatch(r"([\d.]+) ?([A-Za-z/]*)", match[2])
        if number and number[2] in UNITS:
            values[match[1]] = float(number[1]) * UNITS[number[2]]
    return values


class Writer:
    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        self.files = {}
        self.lines = {}
        self.count = 0

    def line(self, group, name, parameters, **rest):
        if group not in self.files:
            path = os.path.join(self.folder, group + ".jsonl")
            self.files[group] = open(path, "w", encoding="utf-8")
        print(json.dumps({"group": group, "name": name,
                          "parameters": parameters, **rest}),
              file=self.files[group])
        self.lines[group] = self.lines.get(group, 0) + 1

    def end(self):
        """The last line of each file, as bench.h writes it."""
        for group in list(self.files):
            self.line(group, "end", {}, value=self.lines[group], unit="lines")

    def value(self, group, name, parameters, value, unit):
        self.count += 1
        if group != "device":
            value *= 1 + 0.002 * math.sin(12.9898 * self.count)
        self.line(group, name, parameters, value=value, unit=unit, samples=9,
                  spread=0.001)


def geometric(first, last, factor):
    while first <= last:
        yield first
        first *= factor


def main():
    v = read_model(sys.stdin)
    w = Writer(sys.argv[1])
    quick = "--quick" in sys.argv
    fine = 1.4142 if quick else 1.0905
    clock, sms, l2 = v["core_clock"], v["sm_count"], v["l2.size"]

    w.line("device", "name", {}, text="NVIDIA Synthetic 100")
    w.line("device", "compute_capability", {}, text="8.0")
    for fact, key in (("sm_count", "sm_count"), ("warp_size", "sm.warp_size"),
                      ("max_warps", "occupancy.max_warps"),
                      ("max_blocks", "occupancy.max_blocks"),
                      ("registers", "occupancy.registers"),
                      ("shared_size", "shared.size"), ("l2_size", "l2.size"),
                      ("dram_size", "dram.size")):
        w.value("device", fact, {}, v[key], "")
    w.value("device", "memory_clock", {}, v["dram.peak_bandwidth"] / 2 / 640,
            "Hz")
    w.value("device", "bus_width", {}, 640, "B")
    w.value("clock", "clock", {"load": "fp32"}, clock, "Hz")

    def op(name, value):
        return v[f"operations.{name}.{value}"]
    for key in list(v):
        match = re.fullmatch(r"operations\.(\w+)\.(latency|throughput)", key)
        if not match or match[1] in ("compare", "vote"):
            continue
        tensor = match[1].startswith("tensor_")
        w.value("tensor" if tensor else "op_" + match[2],
                match[2] if tensor else "op_" + match[2],
                {"operation": match[1]}, v[key], "")
    both = {"compare_select": op("compare", "latency") +
                              op("select", "latency"),
            "compare_vote": op("compare", "latency") + op("vote", "latency")}
    for name, value in both.items():
        w.value("op_latency", "op_latency", {"operation": name}, value,
                "cycles")
    w.value("op_throughput", "op_throughput", {"operation": "compare_select"},
            1 / (1 / op("compare", "throughput") +
                 1 / op("select", "throughput")), "/cycle")
    w.value("issue", "instructions", {"mix": "fp32_fma+logic"},
            0.985 * v["sm.schedulers"] * v["sm.issue_rate"], "/cycle")

    l1, near, dram = v["l1.latency"], v["l2.latency"], v["dram.latency"]
    far = v.get("l2.far_latency", near)
    for size in geometric(2048, 1 << 20, fine):
        w.value("memory_latency", "through_l1", {"bytes": size},
                l1 if size <= v["l1.size"] else near, "cycles")
    for size in geometric(65536, 4 * l2, fine):
        # Half of the lines are far once a set outgrows one partition; past the
        # whole cache every line of a random cycle misses.
        level = near if size <= l2 / 2 else far if size <= l2 else dram
        w.value("memory_latency", "through_l2", {"bytes": size}, level,
                "cycles")
    w.value("memory_latency", "shared", {}, v["shared.latency"], "cycles")
    w.value("memory_latency", "texture", {}, v["texture.latency"], "cycles")
    for size in geometric(512, 65536, 2):
        w.value("memory_latency", "constant", {"bytes": size},
                v["constant.latency"] * (1 if size <= 8192 else 4), "cycles")

    for offset in (8, 16, 32, 64, 96, 128, 192, 256, 512):
        w.value("fetch", "l1_reach", {"offset": offset},
                l1 if offset < v["l1.sector"] else near, "cycles")
        w.value("fetch", "l2_reach", {"offset": offset},
                near if offset < v["l2.fetch_size"] else dram, "cycles")
    whole = 32 / v["dram.write_bandwidth"]
    part = whole + v["dram.partial_write_read"] / v["dram.copy_bandwidth"]
    w.value("fetch", "sector_stores", {"bytes": 32}, 1 / whole, "/s")
    w.value("fetch", "sector_stores", {"bytes": 4}, 1 / part, "/s")

    for size in geometric(l2 / 16, 16 * l2, 2 if quick else 1.4142):
        where = "l2" if size <= l2 else "dram"
        for name in ("read", "write"):
            w.value("bandwidth", name, {"bytes": size},
                    v[f"{where}.{name}_bandwidth"], "B/s")
        w.value("bandwidth", "copy", {"bytes": size},
                v["l2.write_bandwidth" if where == "l2" else
                  "dram.copy_bandwidth"], "B/s")
    for size, part in ((4096, 0.2), (65536, 1), (524288, 0.4)):
        w.value("bandwidth", "l1_set", {"bytes": size, "warps": 32},
                part * v["l1.bandwidth"], "B/cycle")

    for name, operation, width in (("fp32", "fp32_fma", 4),
                                   ("fp64", "fp64_fma", 8),
                                   ("int", "int_mul", 4)):
        for steps in (0, 1, 4, 16, 64, 256):
            intensity = (2 * steps + 7 / 8) / width
            w.value("intensity", "mix",
                    {"type": name, "steps": steps, "intensity": intensity},
                    min(2 * op(operation, "throughput") * clock * sms,
                        intensity * v["dram.read_bandwidth"]), "/s")
    for size in geometric(512, 65536, 2):
        w.value("constant", "broadcast", {"bytes": size}, 128, "B/cycle")

    knee, seconds = v["memory.knee"], dram / clock
    for unroll in (1, 4):
        for warps in (1, 2, 4, 6, 8, 12, 16, 24, 32):
            flight = warps * 512 * unroll
            rate = 1 / ((seconds / flight / sms) ** knee +
                        (1 / v["dram.read_bandwidth"]) ** knee) ** (1 / knee)
            w.value("occupancy", "all",
                    {"warps": warps, "bytes_in_flight": flight}, rate, "B/s")
    most = v["memory.bytes_in_flight"]
    for flight in geometric(512, 4 * most, 2):
        w.value("occupancy", "one", {"bytes_in_flight": flight},
                min(flight, most) / seconds, "B/s")

    banks = int(v["shared.banks"])
    for width in (4, 8, 16):
        for stride in (1, 2, 3, 4, 8, 16, 32, 64):
            w.value("shared", "load", {"width": width, "stride": stride},
                    math.gcd(stride, banks) * width / 4 *
                    32 / v["operations.load_shared.throughput"], "cycles")
    w.value("shared", "store", {"width": 4, "stride": 1},
            32 / v["operations.store_shared.throughput"], "cycles")

    for name, key, scale in (
            ("shared_latency", "shared.atomic_latency", 1),
            ("shared_same_address", "shared.atomic_same_address_rate", 1),
            ("shared_spread", "operations.atomic_shared.throughput", 1),
            ("global_latency", "atomics.latency", 1),
            ("global_same_address", "atomics.same_address_rate", clock),
            ("global_aggregated", "atomics.aggregated_rate", clock),
            ("global_spread", "atomics.rate", clock * 32 / 4.875)):
        w.value("atomics", name, {}, v[key] * scale, "")

    for warps in (1, 2, 4, 8, 16, 32):
        w.value("barrier", "block", {"warps": warps},
                v["barrier.latency"] + v["barrier.per_warp"] * (warps - 1),
                "cycles")
        w.value("launch", "turnaround", {"warps": warps},
                (v["launch.block_start"] +
                 v["launch.block_start_per_warp"] * warps) / clock, "s")
    w.value("launch", "graph_node", {}, v["launch.latency"], "s")
    if "code.line_fetch" in v:
        for count in [64, 128, 256, 512, 1024]:
            w.value("cold", "code", {"instructions": count},
                    v["code.line_fetch"] * count / 8, "cycles")
        w.value("cold", "translation", {"bytes": v["tlb.page"]},
                v["tlb.walk"], "cycles")
        w.value("cold", "empty_cold", {}, v["launch.interval"] +
                v["launch.cold"] - v["launch.latency"], "s")
    w.value("cold", "empty_warm", {}, v["launch.interval"], "s")
    if "link.migration_bandwidth" in v:
        for size in geometric(1 << 16, 1 << 28, 4):
            w.value("managed", "resident", {"bytes": size}, 5e-6, "s")
            w.value("managed", "first_touch", {"bytes": size},
                    5e-6 + v["link.fault_latency"] +
                    size / v["link.migration_bandwidth"], "s")
    for threads in (32, 256, 1024):
        for blocks in geometric(1, 1 << 17, 2):
            rate = v["launch.block_rate"] * clock * min(1, 128 / threads)
            w.value("launch", "back_to_back",
                    {"blocks": blocks, "threads": threads},
                    v["launch.interval"] +
                    (blocks / rate if blocks > 1 else 0), "s")
    for size in geometric(512, 65536, 2):
        w.value("constant", "strided", {"bytes": size},
                4 * op("load_constant", "throughput") / 32, "B/cycle")
    power(w, v, clock, sms)
    w.end()


def power(w, v, clock, sms):
    """Loads of the group power at the clock of the model."""
    def energy(name):
        return v[f"power.energy.{name}"]
    idle = sum(v[f"power.{key}"] for key in
               ("constant", "dram_idle", "leakage", "clock_tree"))
    warp = idle + sms * v["power.sm_active"]
    rate = clock * sms * 64     # instructions of threads a second
    w.value("power", "limit", {}, v["power.limit"], "W")

    def load(name, watts, instructions, events):
        for what, value, unit in (("board", watts, "W"),
                                  ("instructions", instructions, "/s"),
                                  ("events", events, "/s")):
            w.line("power", what, {"load": name}, value=value, unit=unit,
                   samples=1, spread=0)
    load("idle", idle, 0, 0)
    load("one_warp", warp, 0, 0)
    plain = warp + rate * energy("instruction")
    load("instruction", plain, rate, rate)
    for name in ("fp32", "fp64", "fp16", "int_mul", "sfu", "shared"):
        load(name, plain + rate * energy(name), rate, rate)
    way = 0
    for name in ("l1", "l2", "dram"):
        way += energy(name)
        load(name, warp + rate / 8 * energy("instruction") + rate * way,
             rate / 8, rate)


if __name__ == "__main__":
    main()
