#!/usr/bin/env python3
"""Compares the estimates of CUDA with those of the PTX that clang makes of it.

    round_trip.py KERNEL CUDA.json PTX.json [TIME] [OPERATIONS]

Both are reports of one kernel with the same launch. Their times may differ by a
share of TIME (0.05), and the cycles of instruction issue by OPERATIONS (0.03).
"""

import json
import sys


def read(path, kernel):
    with open(path) as file:
        estimates = json.load(file)["estimates"]
    found = [e for e in estimates if e["name"] == kernel]
    assert found, f"{path}: no estimate of {kernel}"
    return found[0]


def main():
    kernel, cuda, ptx = sys.argv[1:4]
    limits = [float(x) for x in sys.argv[4:]] + [0.05, 0.03][len(sys.argv) - 4:]
    before, after = read(cuda, kernel), read(ptx, kernel)
    ratios = (after["time_ms"] / before["time_ms"],
              after["bounds_cycles"]["issue"] / before["bounds_cycles"]["issue"])
    print(f"{kernel}: time {ratios[0]:.3f}, instructions {ratios[1]:.3f}")
    return any(abs(r - 1) > limit for r, limit in zip(ratios, limits))


if __name__ == "__main__":
    sys.exit(main())
