"""tile-sums.py SWEEP: times by multiprocessors, MiB of L2, GB/s of DRAM."""
import json
import sys

(surface,) = json.load(open(sys.argv[1]))["surfaces"]
time = {(p["sm_count"], p["l2_size_bytes"] / 2**20, p["dram_bandwidth_gb_s"]):
        p["time_ms"] for p in surface["points"]}
assert len(time) == 20, time
# Two blocks on each multiprocessor, 256 KiB each: 12 fill 6 MiB, 24 fill 12.
assert time[16, 6, 866] > 1.1 * time[12, 6, 866], time
assert time[16, 12, 866] < 0.9 * time[12, 12, 866], time
assert time[28, 12, 866] > 1.05 * time[24, 12, 866], time
assert time[80, 6, 300] > 1.5 * time[12, 6, 300], time
# DRAM does not matter as long as the tiles fit.
assert abs(time[24, 12, 300] / time[24, 12, 866] - 1) < 0.05, time
