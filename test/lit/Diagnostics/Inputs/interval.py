"""interval.py AT80 AT95 ROOFLINE: the intervals of two kernels in reports."""
import json
import math
import sys


def estimates(file):
    with open(file, encoding="utf-8") as text:
        return {e["name"].split("(")[0]: e for e in json.load(text)["estimates"]}


at80, at95, roofline = map(estimates, sys.argv[1:])
for name, narrow in at80.items():
    time, wide = narrow["time_ms"], at95[name]
    for estimate, level in (narrow, 0.8), (wide, 0.95):
        interval = estimate["interval"]
        assert interval["level"] == level, interval
        assert interval["low_ms"] < time < interval["high_ms"], interval
        # Two independent parts.
        for end, key in enumerate(["low_ms", "high_ms"]):
            parts = [math.log(interval[part][end])
                     for part in ("model_factors", "input_factors")]
            assert math.isclose(abs(math.log(interval[key] / time)),
                                math.hypot(*parts), rel_tol=1e-9), interval
    assert wide["interval"]["low_ms"] < narrow["interval"]["low_ms"]
    assert wide["interval"]["high_ms"] > narrow["interval"]["high_ms"]
    assert roofline[name]["interval"] is None

assert at80["known"]["interval"]["input_factors"] == [1, 1]
assumptions = at80["untilZero"]["assumptions"]
assert assumptions[0]["what"].startswith("trip count"), assumptions
assert assumptions[0]["low"] < assumptions[0]["value"] < assumptions[0]["high"]
assert assumptions[0]["interval_share"] > 0.5, assumptions
assert sum(a["interval_share"] for a in assumptions) < 1 + 1e-9, assumptions
