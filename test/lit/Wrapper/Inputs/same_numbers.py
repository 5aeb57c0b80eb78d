"""Every estimate must be the same whichever way it was made.

same_numbers.py LABEL=FILE.. ...
    Each LABEL's FILEs hold JSON objects of schema gpu-estimate/1, one for each
    file or for each line of a .jsonl.
"""

import json
import sys
from pathlib import Path


def objects(file):
    text = Path(file).read_text()
    lines = text.splitlines() if file.endswith(".jsonl") else [text]
    return [json.loads(line) for line in lines]


ways = {}
for word in sys.argv[1:]:
    label, files = word.split("=", 1)
    ways[label] = sorted(
        (e["kernel"], e["gpu"], e["launch"]["grid"], e["launch"]["block"],
         e["time_ms"], e["registers_per_thread"], e["counts"]["warp_instructions"])
        for file in files.split() for o in objects(file) for e in o["estimates"])

first, *others = ways.items()
assert len(first[1]) > 20, f"only {len(first[1])} estimates by {first[0]}"
for label, estimates in others:
    for a, b in zip(first[1], estimates):
        assert a == b, f"{first[0]}: {a}\n{label}: {b}"
    assert len(estimates) == len(first[1]), (label, len(estimates), len(first[1]))
print(f"{len(ways)} ways, the same numbers")
