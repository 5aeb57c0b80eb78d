"""many.py ROWS SECONDS COMMAND...: a tuning of so many launches, most of which
are interpolated while the fastest are not, within so many seconds of processor
time."""
import csv
import io
import resource
import subprocess
import sys

rows, seconds, command = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
done = subprocess.run(command + ["--format", "csv"], check=True, text=True,
                      stdout=subprocess.PIPE)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
found = list(csv.DictReader(io.StringIO(done.stdout)))
assert len(found) == rows, len(found)
between = sum(row["interpolated"] == "1" for row in found)
assert between > rows / 2, between
assert all(row["screened"] == "1" for row in found if row["interpolated"] == "1")
least = float(found[0]["time_ms"])
fastest = [row for row in found if float(row["time_ms"]) <= 1.05 * least]
assert fastest and all(row["screened"] == "0" for row in fastest), fastest[:3]
print(f"{between} of {rows} interpolated, the fastest in full")
spent = used.ru_utime + used.ru_stime
assert spent <= seconds, f"{spent:.0f} s"
print("within the limit")
