"""Checks a report of `gpu-estimate validate --format json` on the tiny dataset
against its contract."""

import json
import math
import sys


def check_means(row, cases):
    """Factor, share within 25% and the mean by kernel, computed anew."""
    logs = [abs(math.log(case["predicted_ms"] / case["measured_ms"]))
            for case in cases]
    assert abs(row["factor"] - math.exp(sum(logs) / len(logs))) < 1e-9
    near = sum(abs(case["error"]) <= 0.25 for case in cases)
    assert row["within_25"] == near / len(cases)
    kernels = {}
    for case in cases:
        kernels.setdefault(case["kernel"], []).append(abs(case["error"]))
    assert row["kernels"] == len(kernels)
    means = [sum(errors) / len(errors) for errors in kernels.values()]
    assert abs(row["kernel_mean_ape"] - sum(means) / len(means)) < 1e-9


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    assert report["schema"] == "gpu-estimate-validate/1"
    cases = report["cases"]
    assert [case["case"] for case in cases] == [
        "scale-1", "scale-2", "scale-3", "scale-4", "scale-5", "both"]
    for case in cases:
        predicted, measured = case["predicted_ms"], case["measured_ms"]
        assert abs(case["error"] - (predicted / measured - 1)) < 1e-9
        assert abs(sum(case["breakdown"].values()) - 1) < 1e-6
        assert case["dataset"] == "tiny"
        assert case["model"] == "latency-bandwidth"
        assert case["split"] in ("fit", "check")
        assert case["bottleneck"] and case["registers"] > 0
    assert cases[0]["measured_counts"] == {"registers": 12}
    assert cases[4]["noisy"] and cases[0]["noisy"] is None
    # Ten repeats take ten times as long.
    ratio = cases[3]["predicted_ms"] / cases[2]["predicted_ms"]
    assert abs(ratio - 10) < 1e-9
    counted = [case for case in cases if case["noisy"] is None]
    rows = {row["split"]: row for row in report["datasets"]}
    assert list(rows) == ["fit", "check", "all"]
    for split, row in rows.items():
        errors = sorted(abs(case["error"]) for case in counted
                        if split in ("all", case["split"]))
        assert row["name"] == "tiny"
        assert row["cases"] == len(errors)
        assert abs(row["mean_ape"] - sum(errors) / len(errors)) < 1e-9
        assert abs(row["max_ape"] - errors[-1]) < 1e-9
        part = [case for case in counted if split in ("all", case["split"])]
        check_means(row, part)
    assert {row["gpu"]: row["cases"] for row in report["gpus"]} == {
        "nvidia-v100": 4, "nvidia-rtx-3080": 1}
    bounds = {}
    for case in counted:
        bounds.setdefault(case["bottleneck"], []).append(case)
    assert {row["bottleneck"] for row in report["bottlenecks"]} == set(bounds)
    for row in report["bottlenecks"]:
        assert row["cases"] == len(bounds[row["bottleneck"]])
        check_means(row, bounds[row["bottleneck"]])
    inputs = {row["inputs"]: row["cases"] for row in report["inputs"]}
    assumed = sum(bool(case["assumed"]) for case in counted)
    assert inputs.get("assumed", 0) == assumed
    assert sum(inputs.values()) == len(counted)
    for rows in (report["decades"], report["inputs_and_decades"]):
        assert sum(row["cases"] for row in rows) == len(counted)
        assert all(row["decade"] for row in rows)
    # 4096 to 65536 blocks of 8 warps, and case "both" with 4096 of them.
    assert [(round(row["warps"]), row["cases"]) for row in report["warps"]] == [
        (56234, 2), (177828, 1), (562341, 2)]
    assert report["recorded"] == []
    (counter,) = report["counters"]
    assert (counter["dataset"], counter["gpu"], counter["counter"]) == (
        "tiny", "", "registers")
    ratio = cases[0]["counts"]["registers"] / 12
    assert counter["cases"] == 1
    assert abs(counter["median_ratio"] - ratio) < 1e-9
    assert abs(counter["mean_ape"] - abs(ratio - 1)) < 1e-9
    assert abs(counter["bias"] - (ratio - 1)) < 1e-9
    # 2^20 elements of 4 bytes, loaded once and stored once by 32 lanes.
    assert cases[0]["counts"]["global_load_requests"] == 2**20 / 32
    assert cases[0]["counts"]["global_store_sectors"] == 2**20 / 8
    assert report["failures"] == [] and report["skipped"] == []


main()
