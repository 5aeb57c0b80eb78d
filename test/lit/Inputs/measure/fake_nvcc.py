#!/usr/bin/env python3
"""In the place of nvcc. The "program" of scripts/measure-dataset prints what a GPU
would, for every run() of its source; with --once nothing. A case whose name
contains the text in FAKE_REFUSE is refused as by a GPU without the registers.
The program of a microbenchmark prints the file of its group in FAKE_SAMPLES."""
import os
import re
import sys
from pathlib import Path

PROGRAM = '''#!/usr/bin/env python3
import json, sys
GROUP, CASES, REFUSE = {group!r}, {cases!r}, {refuse!r}
lines = []
def say(name, parameters, **rest):
    lines.append(dict(group=GROUP, name=name, parameters=parameters, **rest))
for number, case in enumerate(CASES):
    if REFUSE and REFUSE in case:
        say(case, dict(failed=1), text="too many resources requested")
        continue
    for caches, seconds in (("cold", 2e-5), ("warm", 1e-5)):
        say(case, dict(caches=caches, launches=1, registers=20 + number % 7,
                       local=0), value=seconds, unit="s", samples=9, spread=0.01)
say("end", dict(), value=len(lines), unit="lines", samples=1, spread=0)
if "--once" not in sys.argv:
    print("\\n".join(map(json.dumps, lines)))
'''

out = Path(sys.argv[sys.argv.index("-o") + 1])
source = next(Path(a) for a in sys.argv if a.endswith(".cu"))
if source.parent.name == "microbench":
    samples = Path(os.environ["FAKE_SAMPLES"]) / f"{source.stem}.jsonl"
    out.write_text(f"#!/bin/sh\ncat {samples}\n")
    out.chmod(0o755)
    sys.exit()
cases = re.findall(r'Program\.run\("([^"]+)"', source.read_text())
out.write_text(PROGRAM.format(group=source.stem, cases=cases,
                              refuse=os.environ.get("FAKE_REFUSE", "")))
out.chmod(0o755)
