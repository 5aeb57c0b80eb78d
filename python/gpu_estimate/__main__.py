"""`python -m gpu_estimate ARGUMENTS` is the command `gpu-estimate`."""

import os
import sys

from ._installation import command

try:
    os.execvp(command(), [command(), *sys.argv[1:]])
except OSError as problem:
    sys.exit(f"gpu-estimate: error: {command()}: {problem.strerror}; set the "
             "environment variable GPU_ESTIMATE to the command's path")
