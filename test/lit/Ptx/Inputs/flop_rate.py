#!/usr/bin/env python3
"""Checks the rate of a kernel: flop_rate.py REPORT.json KERNEL FLOP LOW HIGH.

LOW and HIGH are TFLOP/s. The bound of the tensor cores, an estimate of its own,
must not be above the time.
"""

import json
import sys


def main():
    path, kernel = sys.argv[1:3]
    flop, low, high = (float(x) for x in sys.argv[3:])
    with open(path) as file:
        found = [e for e in json.load(file)["estimates"] if e["name"] == kernel]
    assert len(found) == 1, f"{len(found)} estimates of {kernel}"
    rate = flop / found[0]["execution_ms"] / 1e9
    bounds = found[0]["bounds_cycles"]
    print(f"{kernel}: {rate:.0f} TFLOP/s, tensor {bounds['tensor']:.0f} cycles")
    return not low <= rate <= high


if __name__ == "__main__":
    sys.exit(main())
