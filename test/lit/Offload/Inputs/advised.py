"""For each kernel K with a K_as_advised: does the advice called K promise what
the kernel that follows it takes? A transposed copy is made besides; fusion is
of two kernels."""
import json
import sys

report = {e["name"]: e for e in json.load(open(sys.argv[1]))["estimates"]}
tolerance = float(sys.argv[2])
for name, kernel in report.items():
    other = report.get(name + "_as_advised")
    if not other:
        continue
    gains = [a["predicted_gain"] for a in kernel["advice"] if a["id"] == name]
    if not gains:
        print(name, "is not advised")
        continue
    before = kernel["time_ms"]
    if name == "fuse":
        before += report["first"]["time_ms"]
    left = other["time_ms"] / before
    promised = 1 - gains[0]
    kept = abs(promised / left - 1) <= tolerance
    print(name, "keeps its promise" if kept else
          f"promises {promised:.4f} of the time, {left:.4f} remain")
