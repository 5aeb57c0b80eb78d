"""agrees.py SWEEP (ESTIMATE SMS CORE MEMORY)...: compares points with estimates."""
import json
import sys

(surface,) = json.load(open(sys.argv[1]))["surfaces"]
assert surface["scaling"] == "analytic" and len(surface["points"]) == 8, surface
rest = sys.argv[2:]
while rest:
    file, *at = rest[:4]
    rest = rest[4:]
    (estimate,) = json.load(open(file))["estimates"]
    keys = ("sm_count", "core_clock_mhz", "memory_clock_mhz")
    (point,) = [p for p in surface["points"]
                if [p[k] for k in keys] == [float(v) for v in at]]
    error = point["time_ms"] / estimate["time_ms"] - 1
    assert abs(error) < 1e-6, (at, point, estimate["time_ms"])
    assert point["bottleneck"] == estimate["bottleneck"], (point, estimate)
