"""surplus.json exact.json: the surplus blocks may add the time of starting them
(1.23 a nanosecond), and no more than that by a factor of two. They may hide the
last wave of the exact grid, which fills the chip in part."""
import json
import sys


def prediction(file):
    with open(file, encoding="utf-8") as report:
        return json.load(report)["estimates"][0]


surplus, exact = map(prediction, sys.argv[1:])
times = [p["time_ms"] for p in (surplus, exact)]
added = times[0] - times[1]
starts_ms = (6250 - 750) * 37 / 1.23e6
print(times, added, starts_ms)
assert -times[1] / 68 <= added <= 2 * starts_ms
