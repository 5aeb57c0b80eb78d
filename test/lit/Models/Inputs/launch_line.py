"""The launch time of two reports is x1 * blocks + x2, with the x1 and x2 that
the reports print.  launch_line.py A.json B.json BLOCKS_A BLOCKS_B"""
import json
import sys


def estimates(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["estimates"]


for path, blocks in zip(sys.argv[1:3], sys.argv[3:5]):
    for p in estimates(path):
        if p["launch"]["grid"][0] != int(blocks):
            sys.exit(f"{path}: grid {p['launch']['grid']}")
        values = p["intermediates"]
        line = values["x1 in ns"] * 1e-6 * int(blocks) + values["x2 in us"] * 1e-3
        if abs(line - p["launch_overhead_ms"]) > 1e-9:
            sys.exit(f"{path}: {line} ms is not {p['launch_overhead_ms']} ms")
