#!/usr/bin/env python3
"""Whether a completion knows every subcommand and every option of its help.

    all_completed.py GPU-ESTIMATE CommandLine.cpp -- COMPLETE...
"""

import re
import subprocess
import sys


def lines(*command):
    return subprocess.run(command, capture_output=True, text=True,
                          check=True).stdout.splitlines()


def main():
    program, source, _, *complete = sys.argv[1:]
    with open(source) as file:
        commands = set(re.findall(r'add_subcommand\("([\w-]+)"', file.read()))
    # Called by the wrapper only.
    commands -= {"analyze-command", "build-command"}
    offered = set(lines(*complete, "gpu-estimate", ""))
    if not commands <= offered:
        sys.exit(f"not offered: {commands - offered}")
    for command in commands:
        options = set(lines(*complete, "gpu-estimate", command, "-"))
        for line in lines(program, command, "--help-all"):
            option = re.match(r"  (--?[\w-]+=?)", line)
            if option and option[1] not in options | {"--KEY="}:
                sys.exit(f"{command}: {option[1]} is not offered")
    print(f"{len(commands)} commands and their options")


if __name__ == "__main__":
    main()
