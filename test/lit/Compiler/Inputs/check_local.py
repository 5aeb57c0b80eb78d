"""Compares the local memory and registers of a report with those of nvcc.

    check_local.py REPORT.json SOURCE.cu

SOURCE has `NVCC(BYTES, REGISTERS) NAME(` before each kernel. Whether a kernel
has local memory must agree for each of them; registers may differ, but must be
within 20% for two kernels of five.
"""

import json
import re
import sys

report = json.load(open(sys.argv[1]))
wanted = {name: (int(size), int(count)) for size, count, name in re.findall(
    r"^NVCC\((\d+), (\d+)\) (\w+)\(", open(sys.argv[2]).read(), re.M)}
estimates = {e["kernel"]: e for e in report["estimates"]}
wrong = sorted(set(wanted) ^ set(estimates))
near = 0
for name in sorted(set(wanted) & set(estimates)):
    size, count = wanted[name]
    local = sorted({a["base"] for a in estimates[name]["accesses"]
                    if a["space"] == "local"
                    and a["base"] != "spilled registers"})
    if bool(local) != (size > 0):
        wrong.append(f"{name}: nvcc has {size} bytes, the report {local}")
    registers = estimates[name]["registers_per_thread"]
    near += abs(registers - count) <= 0.2 * count
print("\n".join(wrong))
print(f"{len(wanted)} kernels; registers within 20%: {near}")
sys.exit(bool(wrong) or near < 0.4 * len(wanted) or len(wanted) < 40)
