"""scaling-shapes.py SWEEP: each kernel has its shape over compute units, core
and memory clock."""
import json
import sys

surfaces = json.load(open(sys.argv[1]))["surfaces"]
time = {s["name"]: {(p["sm_count"], p["core_clock_mhz"], p["memory_clock_mhz"]):
                      p["time_ms"] for p in s["points"]} for s in surfaces}
assert [len(points) for points in time.values()] == [448] * 4, time.keys()
units = range(4, 33, 4)
cores = range(300, 1001, 100)
memories = range(950, 2751, 300)


def spread(values):
    values = list(values)
    return max(values) / min(values)


# Memory does not matter, and twice the units or the clock take half the time.
shape = time["computeBound"]
for unit in units:
    for core in cores:
        assert spread(shape[unit, core, m] for m in memories) < 1.02, (unit, core)
assert spread(shape[u, c, 2750] * u * c for u in units for c in cores) < 1.05

# Beyond some units and core clock neither matters: time follows memory.
shape = time["bandwidthBound"]
assert spread(shape[u, c, 1850] for u in (24, 28, 32) for c in (800, 900, 1000)) < 1.02
assert spread(shape[32, 1000, m] * m for m in memories) < 1.05

# Either limit, by the ratio of compute units to bandwidth.
shape = time["balanced"]
assert spread(shape[4, 1000, m] for m in memories) < 1.02
assert shape[32, 1000, 950] > 1.5 * shape[32, 1000, 2750]
assert shape[32, 500, 2750] > 1.5 * shape[32, 1000, 2750]
assert shape[32, 500, 950] < 1.2 * shape[32, 1000, 950]

# Faster up to the units whose tiles fill L2, slower beyond at every memory clock.
shape = time["irregular"]
for memory in memories:
    assert shape[16, 1000, memory] < 0.3 * shape[4, 1000, memory], memory
    assert shape[20, 1000, memory] > 1.1 * shape[16, 1000, memory], memory
assert shape[32, 1000, 950] > 2 * shape[16, 1000, 950]
assert spread(shape[16, 1000, m] for m in memories) < 1.02
