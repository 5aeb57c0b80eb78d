"""Prints the totals of sequences in a JSON report, and checks that they are
those of their estimates."""
import json
import sys

report = json.load(open(sys.argv[1]))
for total in report["sequences"]:
    kernels = sum(kernel["time_ms"] for kernel in total["kernels"])
    problems = []
    # The launches of one stream, one after the other.
    if not abs(kernels - total["kernels_ms"]) < 1e-9:
        problems.append(f"{kernels} ms, but {total['kernels_ms']} ms")
    if not total["time_ms"] >= total["kernels_ms"] + total["idle_ms"] - 1e-9:
        problems.append("the parts are longer than the whole")
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
