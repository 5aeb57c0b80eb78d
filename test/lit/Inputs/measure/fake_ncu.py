#!/usr/bin/env python3
"""In the place of ncu: the raw page as CSV, in base units, with the lines that ncu
puts round it and the kernels that fill the buffers; every metric is 1,000."""
import csv
import io
import os
import re
import sys
from pathlib import Path

metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
program = Path(sys.argv[-2])
assert sys.argv[-1] == "--once", sys.argv
cases = re.findall(r'Program\.run\("([^"]+)"',
                   program.with_suffix(".cu").read_text())
text = io.StringIO()
rows = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
names = ["ID", "Process ID", "Kernel Name", "Block Size", "Grid Size"]
rows.writerow(names + metrics)
rows.writerow([""] * len(names) + ["byte" if "bytes" in m else "" for m in metrics])
for number, case in enumerate(cases):
    if os.environ.get("FAKE_REFUSE", "no such case") in case:
        continue  # never launched
    rows.writerow([2 * number, 7, "bench::fillWords(unsigned int *)", "", ""]
                  + ["5"] * len(metrics))
    rows.writerow([2 * number + 1, 7, case, "", ""] + ["1,000"] * len(metrics))
Path(sys.argv[sys.argv.index("--log-file") + 1]).write_text(
    "==PROF== Connected to process 7\n" + text.getvalue()
    + "==PROF== Disconnected from process 7\n")
