"""Many wrapped compiles at once into one folder of results.

stress.py count TOOL FOLDER NUMBER -- COMPILER ARGS...
    NUMBER compiles, each of its own object; every one must leave its record.
stress.py kill TOOL FOLDER ROUNDS -- COMPILER ARGS...
    Compiles that are killed with all their children at a random moment; after
    each round every record must be whole. At least one must get killed and one
    must get through, or the moments were badly chosen.
stress.py overhead TOOL FOLDER LIMIT_MS
    Calls that have nothing to analyse: the shortest of them may take LIMIT_MS
    longer than the shortest without the wrapper.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

mode, tool, folder, number = sys.argv[1:5]
compiler = sys.argv[6:]
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def command(output):
    return [tool, "cc", f"--results={folder}", "--gpu=nvidia-h200", *compiler,
            "-o", output]


def records():
    """Every record, parsed: fails on one that is not whole."""
    return [json.loads(line) for file in Path(folder).glob("*.jsonl")
            for line in file.read_text().splitlines()]


def shortest(words):
    def once():
        start = time.perf_counter()
        subprocess.run(words, check=True, **quiet)
        return time.perf_counter() - start
    return min(once() for _ in range(60))


if mode == "count":
    with ThreadPoolExecutor(64) as pool:
        ends = list(pool.map(
            lambda i: subprocess.run(command(f"{i}.out"), **quiet).returncode,
            range(int(number))))
    print(f"{ends.count(0)} compiles, {len(records())} records, "
          f"{sum(len(r['estimates']) for r in records())} estimates")
elif mode == "kill":
    chance = random.Random(8)
    start = time.perf_counter()
    subprocess.run(command("whole.out"), check=True, **quiet)
    whole = time.perf_counter() - start
    killed = 0
    for i in range(int(number)):
        process = subprocess.Popen(command(f"{i % 4}.out"), start_new_session=True,
                                   **quiet)
        time.sleep(chance.uniform(0, 1.3 * whole))
        killed += process.poll() is None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        assert all(r["estimates"] for r in records())
    subprocess.run(command("whole.out"), check=True, **quiet)
    assert 0 < killed < int(number), killed
    print(f"{number} rounds, readable")
else:
    plain, wrapped = shortest(["true"]), shortest([tool, "cc", "true"])
    over = 1e3 * (wrapped - plain)
    assert over <= float(number), f"{over:.1f} ms a call"
    print("within the limit")
