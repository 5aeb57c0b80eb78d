"""scaling-shapes-l2.py SWEEP: the tiles of 20 compute units fit into 2 MiB of L2."""
import json
import sys

(surface,) = json.load(open(sys.argv[1]))["surfaces"]
time = {(p["l2_size_bytes"] // 2**20, p["sm_count"]): p["time_ms"]
        for p in surface["points"]}
assert time[1, 20] > 1.1 * time[1, 16], time
assert time[2, 20] < 0.9 * time[2, 16], time
