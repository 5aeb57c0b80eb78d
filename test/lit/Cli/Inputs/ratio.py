"""Ratios of the execution times of two reports, within 2 %:
ratio.py BEFORE AFTER KERNEL=RATIO..."""
import json
import sys


def times(path):
    with open(path, encoding="utf-8") as file:
        return {e["name"].split("(")[0]: e["execution_ms"]
                for e in json.load(file)["estimates"]}


before, after = times(sys.argv[1]), times(sys.argv[2])
for wanted in sys.argv[3:]:
    kernel, ratio = wanted.split("=")
    found = after[kernel] / before[kernel]
    print(f"{kernel}: {found:.4f}, expected {ratio}")
    if abs(found / float(ratio) - 1) > 0.02:
        sys.exit(1)
