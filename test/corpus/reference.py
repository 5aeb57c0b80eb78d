"""Asks clang which kernels of a file exist: the truth that the JSON must cover."""

import json
import os
import re
import subprocess
import threading

ANNOTATION = re.compile(r"^!\d+ = !\{ptr @(\"[^\"]+\"|[\w.$]+), !\"kernel\"",
                        re.M)
CONVENTION = re.compile(r"^define .*?\bptx_kernel\b.*?@(\"[^\"]+\"|[\w.$]+)\(",
                        re.M)
ERROR = re.compile(r"^.*?(?:fatal )?error: .*$", re.M)
LIMIT_S = 300


def kernels_in_ir(text):
    """Kernels of a module: marked by metadata, or by their calling convention."""
    found = ANNOTATION.findall(text) + CONVENTION.findall(text)
    return sorted({name.strip('"') for name in found})


def first_error(text):
    match = ERROR.search(text)
    return match[0].strip() if match else ""


class Reference:
    """Answers of clang by file and flags, kept in a JSON file if one is named."""

    def __init__(self, clang, flags, store):
        self.clang = clang
        self.flags = flags
        self.store = store
        self.lock = threading.Lock()
        self.answers = {}
        if store and os.path.exists(store):
            with open(store, encoding="utf-8") as file:
                self.answers = json.load(file)

    def save(self):
        if self.store:
            with open(self.store, "w", encoding="utf-8") as file:
                json.dump(self.answers, file, indent=1, sort_keys=True)

    def ask(self, file, flags, scratch):
        """Returns {"parses": bool, "error": text, "kernels": [mangled]}."""
        key = " ".join([self.clang, *self.flags, *flags, file,
                        str(os.path.getmtime(file))])
        with self.lock:
            if key in self.answers:
                return self.answers[key]
        answer = self.compile(file, flags, scratch)
        with self.lock:
            self.answers[key] = answer
        return answer

    def compile(self, file, flags, scratch):
        # CUDA 13 lacks a header that clang 19 includes; an empty one will do.
        header = os.path.join(scratch, "texture_fetch_functions.h")
        with self.lock:
            open(header, "a").close()
        common = [self.clang, "-x", "cuda", "-w", "-isystem", scratch,
                  "--cuda-gpu-arch=sm_80", *flags, *self.flags]
        device = self.run(common + ["--cuda-device-only", "-S", "-emit-llvm",
                                    "-Xclang", "-disable-llvm-passes", "-o",
                                    "-", file])
        if device.returncode:
            return {"parses": False, "error": first_error(device.stderr),
                    "kernels": []}
        host = self.run(common + ["--cuda-host-only", "-fsyntax-only", file])
        return {"parses": host.returncode == 0,
                "error": first_error(host.stderr) if host.returncode else "",
                "kernels": kernels_in_ir(device.stdout)}

    def run(self, command):
        try:
            return subprocess.run(command, capture_output=True, text=True,
                                  errors="replace", timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(
                command, 1, "", f"error: clang needed over {LIMIT_S} s")
