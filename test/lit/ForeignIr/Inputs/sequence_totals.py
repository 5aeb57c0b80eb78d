"""Prints the totals of sequences in JSON reports, and checks that they are
those of their estimates. Of two reports, what differs is printed as well."""
import json
import sys

reports = [json.load(open(name)) for name in sys.argv[1:]]
for report, total in [(report, total) for report in reports
                      for total in report["sequences"]]:
    kernels = sum(kernel["time_ms"] for kernel in total["kernels"])
    problems = []
    # The launches of one stream, one after the other.
    if not abs(kernels - total["kernels_ms"]) < 1e-9:
        problems.append(f"{kernels} ms, but {total['kernels_ms']} ms")
    parts = total["kernels_ms"] + total["copies_ms"] + total["idle_ms"]
    if not (abs(total["time_ms"] - parts) < 1e-9 and total["idle_ms"] > 0):
        problems.append("the parts are not the whole")
    for kernel in total["kernels"]:
        times = [estimate["time_ms"] for estimate in report["estimates"]
                 if estimate["gpu"] == total["gpu"]
                 and estimate["kernel"] == kernel["kernel"]]
        mean = kernel["time_ms"] / kernel["launches"]
        if not min(times) - 1e-9 <= mean <= max(times) + 1e-9:
            problems.append(f"{kernel['kernel']}: {mean} ms of {times}")
    print(total["sequence"], total["gpu"], f"{total['launches']:g} launches",
          *[f"{kernel['kernel']} {kernel['launches']:g}"
            for kernel in total["kernels"]],
          f"not predicted {len(total['not_predicted'])},",
          "; ".join(problems) or "consistent")

if len(reports) == 2:
    less, more = [report["sequences"][0] for report in reports]
    step = less["kernels"][0]["time_ms"] / less["launches"]
    print(f"{more['launches'] - less['launches']:g} more launches:",
          f"kernels {(more['kernels_ms'] - less['kernels_ms']) / step:.4g},",
          f"copies {more['copies_ms'] / less['copies_ms']:.2f}")
