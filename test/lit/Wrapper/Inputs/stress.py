"""Many wrapped compiles at once into one folder of results.

stress.py count TOOL FOLDER NUMBER -- COMPILER ARGS...
    NUMBER compiles, each of its own object; every one must leave its record.
stress.py kill TOOL FOLDER ROUNDS -- COMPILER ARGS...
    At least ROUNDS compiles that are killed with all their children at a random
    moment, some before their end and some after it; after each round every
    record must be whole.
stress.py overhead TOOL FOLDER LIMIT_MS
    Calls that have nothing to analyse: the shortest of them may take LIMIT_MS
    longer than the shortest without the wrapper, both taken in turn.
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


def seconds(words):
    start = time.perf_counter()
    subprocess.run(words, check=True, **quiet)
    return time.perf_counter() - start


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
    latest = 1.3 * (time.perf_counter() - start)
    killed = through = 0
    # How long a compile takes depends on what else the machine does, so the
    # latest moment follows the rounds; more of them only while all end alike.
    for i in range(10 * int(number)):
        if i >= int(number) and killed and through:
            break
        process = subprocess.Popen(command(f"{i % 4}.out"), start_new_session=True,
                                   **quiet)
        time.sleep(chance.uniform(0, latest))
        alive = process.poll() is None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        killed, through = killed + alive, through + (not alive)
        latest *= 1.1 if alive else 0.8
        assert all(r["estimates"] for r in records())
    subprocess.run(command("whole.out"), check=True, **quiet)
    assert killed and through, (killed, through)
    print("killed and got through, all records readable")
else:
    # Up to 300 pairs: a machine that is busy for a while is waited for.
    plain = wrapped = float("inf")
    for i in range(300):
        plain = min(plain, seconds(["true"]))
        wrapped = min(wrapped, seconds([tool, "cc", "true"]))
        over = 1e3 * (wrapped - plain)
        if i >= 59 and over <= float(number):
            break
    assert over <= float(number), f"{over:.1f} ms a call"
    print("within the limit")
