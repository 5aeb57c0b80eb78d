"""Checks that the rows of an ablation follow from its cases."""

import json
import math
import sys


def factor(pairs):
    logs = [abs(math.log(predicted / measured))
            for predicted, measured in pairs]
    return math.exp(sum(logs) / len(logs))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    counted = [case for case in report["cases"] if case["noisy"] is None]
    assert counted and all(case["without"] for case in counted)
    rows = report["ablation"]
    assert rows
    for row in rows:
        pairs = [(case["without"][row["term"]], case["measured_ms"])
                 for case in counted]
        changed = sum(
            abs(case["without"][row["term"]] - case["predicted_ms"])
            > 0.01 * case["predicted_ms"] for case in counted)
        assert row["dataset"] == "tiny"
        assert row["cases"] == len(counted)
        assert row["changed"] == changed > 0
        assert abs(row["factor_without"] - factor(pairs)) < 1e-9
        mean = sum(abs(p / m - 1) for p, m in pairs) / len(pairs)
        assert abs(row["mean_ape_without"] - mean) < 1e-9


if __name__ == "__main__":
    main()
