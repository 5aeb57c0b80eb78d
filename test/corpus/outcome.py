"""Runs the tool on one file and says what became of it."""

import json
import math
import os
import re
import signal
import subprocess
import time

ANALYSED = "analysed"    # exit status 0 or 1, and readable JSON
NOT_PARSED = "not parsed"  # exit status 3 with an error of clang
REFUSED = "refused"      # exit status 3 for another reason
CRASH = "crash"          # ended by a signal, or by LLVM's own last words
HANG = "hang"            # over the time limit
BAD_OUTPUT = "bad output"  # breaks the contract of JSON or exit status

PARSE_ERROR = re.compile(r"^\S.*?:\d+:\d+: (?:fatal )?error: |"
                         r"^(?:fatal )?error: ", re.M)
LAST_WORDS = re.compile(r"^(?:LLVM ERROR:|Stack dump:|PLEASE submit a bug|"
                        r".*Assertion .* failed|terminate called|"
                        r".*(?:Address|UndefinedBehavior)Sanitizer)", re.M)
# Kernels with internal linkage carry a suffix that depends on the compilation.
INTERNAL = re.compile(r"__(?:static|intern)__\w*$")


class Outcome:
    def __init__(self, file):
        self.file = file
        self.status = ANALYSED
        self.seconds = 0.0
        self.detail = ""
        self.estimated = set()    # mangled names
        self.unresolved = {}      # mangled name -> reason
        self.bad_numbers = []     # kernels whose time is no positive number
        self.lost = []            # emitted by clang, but not in the JSON
        self.emitted = None       # number of kernels by clang, None: not asked
        self.named = 0            # kernels defined in the text
        self.unseen = []          # of these, the ones that the JSON lacks
        self.parse_differs = False  # clang parses it, the tool says it doesn't

    def is_bad(self):
        return (self.status in (CRASH, HANG, BAD_OUTPUT)
                or self.parse_differs or bool(self.lost or self.bad_numbers))

    def mentions(self, name):
        """Whether a kernel of this source name is in the JSON."""
        return any(kernel == name or f"{len(name)}{name}" in kernel
                   for kernel in [*self.estimated, *self.unresolved])


def normalise(mangled):
    return INTERNAL.sub("", mangled)


def read_json(result, text):
    """Takes kernels from the tool's JSON; breaks of the contract are recorded."""
    try:
        report = json.loads(text)
        if report["schema"] != "gpu-estimate/1":
            raise ValueError(f"schema {report['schema']!r}")
        for estimate in report["estimates"]:
            kernel = normalise(estimate["kernel"])
            result.estimated.add(kernel)
            # In place of a time: a table over a size that is not known.
            times = ([point["time_ms"] for point in estimate["curve"]]
                     if estimate["time_ms"] is None else [estimate["time_ms"]])
            if not times or not all(
                    isinstance(time, (int, float)) and math.isfinite(time)
                    and time > 0 for time in times):
                result.bad_numbers.append(kernel)
        for entry in report["unresolved"]:
            result.unresolved[normalise(entry["kernel"])] = entry["reason"]
    except (ValueError, KeyError, TypeError) as error:
        result.status = BAD_OUTPUT
        result.detail = f"{type(error).__name__}: {error}"
        return
    # A kernel with one launch estimated and another unresolved counts as
    # estimated.
    for kernel in result.estimated:
        result.unresolved.pop(kernel, None)


def classify(result, code, stdout, stderr):
    """Sets the status from the exit status and what the tool wrote."""
    words = LAST_WORDS.search(stderr)
    if code < 0 or code > 128 or words:
        result.status = CRASH
        result.detail = words[0] if words else signal_name(code)
    elif code in (0, 1) or (code == 3 and stdout.startswith("{")):
        # 3 with JSON: the file was read, but every kernel is unresolved.
        read_json(result, stdout)
    else:
        error = PARSE_ERROR.search(stderr)
        if code != 3:
            result.status = BAD_OUTPUT
        else:
            result.status = NOT_PARSED if error else REFUSED
        lines = stderr[error.start() if error else 0:].strip().splitlines()
        result.detail = lines[0] if lines else f"exit status {code}, no message"


def signal_name(code):
    number = -code if code < 0 else code - 128
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"exit status {code}"


def run_tool(tool, file, gpu, clang_flags, limit_s, tool_flags=()):
    result = Outcome(file)
    command = [tool, "analyze", file, "--gpu", gpu, "--format", "json",
               *tool_flags, "--", *clang_flags]
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True,
                               errors="replace", start_new_session=True)
    try:
        stdout, stderr = process.communicate(timeout=limit_s)
        classify(result, process.returncode, stdout, stderr)
    except subprocess.TimeoutExpired:
        # The group, since the tool may have started a ptxas.
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        result.status = HANG
        result.detail = f"over {limit_s:g} s"
    result.seconds = time.monotonic() - start
    return result


def compare(result, answer):
    """Holds the outcome against clang's own list of kernels."""
    kernels = {normalise(kernel) for kernel in answer["kernels"]}
    result.emitted = len(kernels)
    result.parse_differs = answer["parses"] and result.status == NOT_PARSED
    if result.status == ANALYSED or \
            (result.status == REFUSED and answer["parses"]):
        result.lost = sorted(kernels - result.estimated
                             - result.unresolved.keys())
