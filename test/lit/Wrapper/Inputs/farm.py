#!/usr/bin/env python3
"""Compiles files here and by distcc on the loopback device, both through
`gpu-estimate cc`, and compares objects and records.

    farm.py GPU-ESTIMATE CLANG FILE... [-- FILE...]

Files after -- are compiled with the words of $CUDA_WORDS; distcc leaves those to
this machine. Everything is written into the current folder.
"""

import os
import shlex
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM, CLANG = sys.argv[1:3]
DONE = "COMPILE_OK"  # of a job, in the daemon's log


def start_daemon(log):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    daemon = subprocess.Popen(
        ["distccd", "--daemon", "--no-detach", "--listen", "127.0.0.1",
         "--port", str(port), "--allow", "127.0.0.1", "--jobs", "2",
         "--log-stderr", "--log-level", "info", "--enable-tcp-insecure"],
        # Started by root it is another user, who cannot write elsewhere.
        stdout=log, stderr=log, env={**os.environ, "TMPDIR": "/tmp"})
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return daemon, port
        if daemon.poll() is not None:
            break
        time.sleep(0.1)
    sys.exit("distccd does not listen")


def compile_all(jobs, results, before, environment):
    """The objects, by name; all of them at once."""
    def one(job):
        file, words = job
        output = Path(file).stem + ".o"
        subprocess.run(
            [*before[0], PROGRAM, "cc", "--quiet", "--gpu=nvidia-h200",
             f"--results={results}", *before[1], CLANG, *words, "-c", file,
             "-o", output], check=True, env=environment,
            stdout=subprocess.DEVNULL)
        data = Path(output).read_bytes()
        os.remove(output)
        return output, data

    with ThreadPoolExecutor(4) as pool:
        return dict(pool.map(one, jobs))


def records(folder):
    return {path.name: path.read_bytes() for path in Path(folder).glob("*")}


def main():
    files = sys.argv[3:]
    split = files.index("--") if "--" in files else len(files)
    cuda = shlex.split(os.environ.get("CUDA_WORDS", ""))
    far = [(file, ["-O2"]) for file in files[:split]]
    jobs = far + [(file, cuda) for file in files[split + 1:]]
    with open("distccd.log", "w") as log:
        daemon, port = start_daemon(log)
        try:
            os.makedirs("state", exist_ok=True)
            environment = {**os.environ, "DISTCC_DIR": os.path.abspath("state"),
                           "DISTCC_HOSTS": f"127.0.0.1:{port}/4",
                           "DISTCC_FALLBACK": "0"}
            farm = compile_all(jobs, "farm", ([], ["distcc"]), environment)
            compile_all(far, "behind", (["distcc"], []), environment)
            for _ in range(100):  # it logs a job after it has answered
                if Path("distccd.log").read_text().count(DONE) == 2 * len(far):
                    break
                time.sleep(0.1)
        finally:
            daemon.terminate()
            daemon.wait()
    local = compile_all(jobs, "local", ([], []), os.environ)
    elsewhere = Path("distccd.log").read_text().count(DONE)
    same = sum(local[name] == farm[name] for name in local)
    print(f"{len(local)} objects, {same} the same")
    print(f"{len(records('local'))} records,",
          "the same" if records("local") == records("farm") else "others")
    print(f"{elsewhere} of {2 * len(far)} compiled by the daemon")
    behind = sum(b"estimates" in data for data in records("behind").values())
    print(f"behind distcc: {behind} records")


if __name__ == "__main__":
    main()
