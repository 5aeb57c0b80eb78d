"""Compares the execution times of what-if.cu's kernels."""
import json
import sys


def times(path):
    with open(path, encoding="utf-8") as file:
        return {e["name"].split("(")[0]: e["execution_ms"]
                for e in json.load(file)["estimates"]}


as_is, dram, multiprocessors = map(times, sys.argv[1:])


def expect(what, ratio, wanted):
    print(f"{what}: {ratio:.3f}, expected {wanted}")
    if abs(ratio / wanted - 1) > 0.03:
        sys.exit(1)


expect("stream, half of the DRAM bandwidth",
       dram["stream"] / as_is["stream"], 2)
expect("arithmetic, half of the DRAM bandwidth",
       dram["arithmetic"] / as_is["arithmetic"], 1)
expect("stream, twice the multiprocessors",
       multiprocessors["stream"] / as_is["stream"], 1)
expect("arithmetic, twice the multiprocessors",
       multiprocessors["arithmetic"] / as_is["arithmetic"], 0.5)
