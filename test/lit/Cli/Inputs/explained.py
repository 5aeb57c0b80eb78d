#!/usr/bin/env python3
"""Whether every name in JSON reports is one that --explain lists, of its kind.

    gpu-estimate --explain 2>&1 | explained.py REPORT...
"""

import json
import sys

KINDS = {"bottleneck": "bound of the time", "breakdown": "part of the time",
         "limited_by": "limit of the occupancy",
         "cpu": "limit on a CPU (--against cpu)",
         "fpga": "limit on an FPGA (--against fpga)"}


def names(estimate):
    yield "bottleneck", estimate["bottleneck"]
    yield "limited_by", estimate["occupancy"]["limited_by"]
    for name in estimate["breakdown"]:
        yield "breakdown", name
    for other in estimate.get("against", []):
        yield other["kind"], other["bottleneck"]
        for name in other["limits_ms"]:
            yield other["kind"], name


def main():
    listed = {}
    for line in sys.stdin:
        kind, colon, row = line.strip().partition(": ")
        if colon:
            listed[kind] = row.split(", ")
    found = set()
    for report in sys.argv[1:]:
        with open(report) as file:
            for estimate in json.load(file)["estimates"]:
                found.update(names(estimate))
    for kind, name in sorted(found):
        if name not in listed[KINDS[kind]]:
            sys.exit(f"{name}: not listed as a {KINDS[kind]}")
    print(f"{len(found)} names explained:",
          *sorted(kind + ":" + name for kind, name in found))


if __name__ == "__main__":
    main()
