"""Table 6 of CGPredict: what two changes gained on the board, against what the
advice on the unchanged kernel promises. The measured times are those of the
dataset."""
import csv
import json
import os
import sys

folder = os.path.dirname(sys.argv[1])
with open(os.path.join(folder, "cases.csv")) as cases:
    measured = {c["case"]: float(c["ms"]) for c in csv.DictReader(cases)}
report = {e["name"]: e for e in json.load(open(sys.argv[2]))["estimates"]}
for name, advice, before, after in (
        ("syrk", "transpose", "table4/SYRK", "table6/SYRK"),
        ("gemm", "redundant-load", "table4/GEMM", "table5/GEMM")):
    promised = next(1 - a["predicted_gain"] for a in report[name]["advice"]
                    if a["id"] == advice)
    left = measured[after] / measured[before]
    error = abs(promised / left - 1)
    print(f"{name} {advice}", "as measured" if error < 0.1 else
          f"promises {promised:.4f} of the time, {left:.4f} were measured")
