"""Runs the blocks of docs/tutorial.md that are marked sh, line by line, in an
empty folder; "# status 1" behind a command names its exit status."""

import os
import re
import subprocess
import sys
from pathlib import Path

source, build, folder = map(Path, sys.argv[1:])
page = (source / "docs/tutorial.md").read_text(encoding="utf-8")
commands = "".join(re.findall(r"^```sh\n(.*?)^```$", page,
                              re.DOTALL | re.MULTILINE))
commands = commands.replace("$GPU_ESTIMATE/build", str(build))
script = re.sub(r"^(gpu-estimate .*?) +# status (\d+)$",
                r"\1 || test $? -eq \2", commands, flags=re.MULTILINE)
result = subprocess.run(
    ["bash", "-ec", script], cwd=folder, text=True, check=False,
    env={**os.environ, "GPU_ESTIMATE": str(source),
         "PATH": f"{build}/bin:{os.environ['PATH']}"},
    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
print(result.stdout)
print("the commands of the tutorial run" if result.returncode == 0
      else f"exit status {result.returncode}")
