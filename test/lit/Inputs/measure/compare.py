#!/usr/bin/env python3
"""Compares two models as `gpu-estimate gpus` prints them: every value of the
second that is not inherited must be that of the first within 2%; the size of
L1 within the distance of two working sets.

    compare.py EXPECTED ACTUAL AT_LEAST
"""

import sys

from synthesize import read_model


# What a board draws idle: the fit puts all of it into the first.
IDLE = ["power.constant", "power.dram_idle", "power.leakage",
        "power.clock_tree"]


def gather_idle(values):
    if "power.constant" in values:
        values["power.constant"] = sum(values.pop(key, 0) for key in IDLE)


def add_roofline(values):
    """The experimental roofline of a GPU that reaches its rates."""
    for name, operation in (("fp32", "fp32_fma"), ("fp64", "fp64_fma"),
                            ("int", "int_mul")):
        rate = values[f"operations.{operation}.throughput"]
        values.setdefault(f"roofline.{name}", 2 * rate)
    values.setdefault("roofline.memory", values["dram.read_bandwidth"])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        expected = read_model(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = file.readlines()
    actual = read_model(lines)
    gather_idle(expected)
    add_roofline(expected)
    gather_idle(actual)
    inherited = {line.split()[0] for line in lines if "  inherited  " in line}
    wrong, equal = [], 0
    for key in sorted(actual.keys() - inherited):
        want, got = expected.get(key), actual[key]
        tolerance = 0.09 if key == "l1.size" else 0.02
        if want is None or abs(got - want) > tolerance * abs(want):
            wrong.append(f"{key}: expected {want}, got {got}")
        else:
            equal += 1
    print("\n".join(wrong))
    missing = sorted((expected.keys() & inherited))
    print("inherited:", ", ".join(missing))
    print(f"{equal} values as expected, {len(wrong)} wrong")
    return 1 if wrong or equal < int(sys.argv[3]) else 0


if __name__ == "__main__":
    sys.exit(main())
