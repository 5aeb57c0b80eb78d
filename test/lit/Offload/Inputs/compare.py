"""Compares the kernels of two reports by name: counts exactly, time to 3 %
(registers and the order of instructions may differ)."""
import json
import sys

COUNTS = ("global_load_requests", "global_load_sectors", "flop_fp32",
          "global_store_requests", "global_store_sectors")

left, right = ({e["name"]: e for e in json.load(open(f))["estimates"]}
               for f in sys.argv[1:])
for name in left:
    a, b = left[name], right[name]
    different = [c for c in COUNTS if a["counts"][c] != b["counts"][c]]
    if a["launch"]["grid"] != b["launch"]["grid"]:
        different.append("grid")
    if abs(a["time_ms"] / b["time_ms"] - 1) > 0.03:
        different.append("time_ms")
    print(name, "same" if not different else "differs in " + ", ".join(
        f"{d} ({a['counts'].get(d, a.get(d))}, {b['counts'].get(d, b.get(d))})"
        for d in different))
