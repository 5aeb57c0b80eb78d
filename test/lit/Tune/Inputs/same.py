"""same.py ANALYSIS TUNING: the block of 256 takes the same time in both."""
import json
import sys

analysis, tuning = (json.load(open(name)) for name in sys.argv[1:3])
tuned = tuning["tunings"][0]["configurations"]
(wide,) = [c for c in tuned if c["block"] == [256, 1, 1]]
(estimate,) = analysis["estimates"]
assert wide["time_ms"] == estimate["time_ms"], (wide, estimate["time_ms"])
assert wide["grid"] == estimate["launch"]["grid"], wide
assert tuning["tunings"][0]["as_written"]["time_ms"] == estimate["time_ms"]
assert [c["rank"] for c in tuned] == sorted(c["rank"] for c in tuned)
