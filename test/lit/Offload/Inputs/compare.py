"""Compares the kernels of two reports by name: counts exactly, time to 3 %
(registers and the order of instructions may differ). Further arguments are the
counts to compare, in place of the usual ones. A point in a name is an
underscore in the second report."""
import json
import sys

COUNTS = sys.argv[3:] or ("global_load_requests", "global_load_sectors",
                          "flop_fp32", "global_store_requests",
                          "global_store_sectors")


def count(estimate, name):
    counts = estimate["counts"]
    return counts.get(name, counts["by_class"].get(name, 0))


left, right = ({e["name"].replace(".", "_"): e
                for e in json.load(open(f))["estimates"]}
               for f in sys.argv[1:3])
for name in left:
    a, b = left[name], right[name]
    different = [f"{c} ({count(a, c)}, {count(b, c)})" for c in COUNTS
                 if count(a, c) != count(b, c)]
    if a["launch"]["grid"] != b["launch"]["grid"]:
        different.append("grid")
    if abs(a["time_ms"] / b["time_ms"] - 1) > 0.03:
        different.append(f"time_ms ({a['time_ms']}, {b['time_ms']})")
    print(name, "same" if not different else
          "differs in " + ", ".join(different))
