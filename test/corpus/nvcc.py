"""Asks nvcc which kernels a file has, and how much processor time that takes."""

import hashlib
import json
import os
import re
import signal
import subprocess
import threading
from pathlib import Path

import reference

ENTRY = re.compile(r"^(?:\.visible\s+|\.weak\s+)*\.entry\s+([\w$]+)", re.M)
OUT_OF_TIME = "out of time"


def spelling(name):
    """A mangled name without what clang and nvcc spell differently."""
    # Static functions in template arguments. They move the numbers of what is
    # repeated.
    while internal := re.search(r"N(\d+)_INTERNAL_", name):
        end = internal.end(1) + int(internal.group(1))
        inner = re.match(r"(\d+)", name[end:])
        last = end + inner.end() + int(inner.group(1)) if inner else end
        name = name[:internal.start()] + name[end:last] + name[last + 1:]
    name = re.sub(r"S[0-9A-Z]*_", "S_", name)
    name = re.sub(r"L(?=\d+[A-Za-z_])", "", name)  # of static kernels
    unnamed = re.search(r"(\d+)_GLOBAL__N_", name)
    if unnamed:
        end = unnamed.end(1) + int(unnamed.group(1))
        name = name[:unnamed.start()] + "{unnamed}" + name[end:]
    return name


def run_limited(command, limit_s):
    """Exit status (None over the limit of wall time), output, errors and the
    processor seconds of the command with all that it has started."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True,
                               errors="replace", start_new_session=True)
    texts = {}
    readers = [threading.Thread(
        target=lambda name=name, pipe=pipe: texts.update({name: pipe.read()}))
        for name, pipe in (("out", process.stdout), ("err", process.stderr))]
    for reader in readers:
        reader.start()
    late = threading.Event()

    def end():
        late.set()
        os.killpg(process.pid, signal.SIGKILL)
    timer = threading.Timer(limit_s, end)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    for reader, pipe in zip(readers, (process.stdout, process.stderr)):
        reader.join()
        pipe.close()
    code = None if late.is_set() else os.waitstatus_to_exitcode(status)
    process.returncode = 0 if code is None else code  # it is waited for
    return code, texts["out"], texts["err"], usage.ru_utime + usage.ru_stime


def flags_for(flags):
    """Clang's flags in nvcc's spelling."""
    result = []
    for flag in flags:
        if flag.startswith("-idirafter"):
            result.append("-I" + flag.removeprefix("-idirafter"))
        elif not flag.startswith("-ferror-limit"):
            result.append(flag)
    return result


def ask(nvcc, file, arch, flags, limit_s, cache):
    """{"kernels": [mangled] or None where nvcc fails, "error", "seconds"}. The
    answers are kept in the folder cache, by the text of the file and flags."""
    key = Path(file).read_bytes() + " ".join([file, arch, *flags]).encode()
    kept = Path(cache) / (hashlib.sha256(key).hexdigest() + ".coverage.json")
    if kept.exists():
        return json.loads(kept.read_text())
    ptx = kept.with_suffix(".ptx")
    code, _, errors, seconds = run_limited(
        [nvcc, "-ptx", "-w", "-arch=" + arch, file, "-o", str(ptx),
         *flags_for(flags)], limit_s)
    answer = {"kernels": None, "seconds": seconds,
              "error": OUT_OF_TIME if code is None
              else reference.first_error(errors)}
    if code == 0:
        answer["kernels"] = ENTRY.findall(ptx.read_text(errors="replace"))
    ptx.unlink(missing_ok=True)
    kept.write_text(json.dumps(answer))
    return answer
