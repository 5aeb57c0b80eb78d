#!/usr/bin/env python3
"""Inputs that grow: the compile stays what it is, the work grows as they do.

    test_growth.py [Growth|Largest]

Runs the tool and the plugin of $BUILD (default: build/) on each kind of
growing_inputs.py at three sizes, each twice the one before (Growth), and on the
largest ones, which may pass the limits of the analysis (Largest).
"""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import growing_inputs

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("BUILD", ROOT / "build"))
TOOL = BUILD / "bin" / "gpu-estimate"
PLUGIN = BUILD / "lib" / "GpuEstimate.so"
GPU = "nvidia-a100-40gb-pcie"
CLANG = ["clang++-19", "-x", "cuda", "-nocudainc", "-nocudalib",
         "--cuda-gpu-arch=sm_80", f"-I{ROOT}/cuda-headers",
         "-include", "gpu_estimate_cuda.h", "-w", "-O2",
         "--cuda-device-only", "-S"]

# Work may grow by this factor when an input doubles.
GROWTH = 2.5
# A hang is a failure; this is far beyond what any input takes.
HUNG = 300


def run(*command):
    return subprocess.run([str(word) for word in command], text=True,
                          capture_output=True, timeout=HUNG)


class GrowingInput(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, kind, size):
        file = self.folder / "kernel.cu"
        file.write_text(kind(size))
        return file

    def check_compiles(self, file, what):
        plain, other = self.folder / "plain.s", self.folder / "other.s"
        done = run(*CLANG, file, "-o", plain)
        self.assertEqual(done.returncode, 0, f"{what}: {done.stderr}")
        ways = {
            "plugin": [*CLANG, f"-fplugin={PLUGIN}",
                       f"-fplugin-arg-gpu_estimate-gpu={GPU}"],
            "cc": [TOOL, "cc", f"--gpu={GPU}", *CLANG],
            "cc, own process": [TOOL, "cc", "--own-process", "--no-cuda-sdk",
                                f"--gpu={GPU}", *CLANG],
        }
        for way, command in ways.items():
            other.unlink(missing_ok=True)
            done = run(*command, file, "-o", other)
            self.assertEqual(done.returncode, 0, f"{what}, {way}")
            self.assertEqual(plain.read_bytes(), other.read_bytes(),
                             f"{what}, {way}: the output differs")
            self.assertIn("gpu-estimate", done.stderr, f"{what}, {way}")

    def work(self, file, what):
        done = run(TOOL, "analyze", file, "--gpu", GPU, "--no-cuda-sdk",
                   "--ptxas", "off", "--print-work")
        self.assertEqual(done.returncode, 0, f"{what}: {done.stderr[-2000:]}")
        units = [int(text) for text
                 in re.findall(r"work: (\d+) units", done.stderr)]
        self.assertGreater(len(units), 1, what)
        return sum(units)


class Growth(GrowingInput):
    """Three sizes of each kind; the largest of them is compiled, too."""


class Largest(GrowingInput):
    """The largest inputs, which may pass the limits of the analysis."""


def add_test(kind, sizes):
    def test(self):
        before = None
        for size in sizes:
            what = f"{kind.__name__} of {size}"
            file = self.write(kind, size)
            if size == sizes[-1]:
                self.check_compiles(file, what)
            work = self.work(file, what)
            if before is not None:
                self.assertLessEqual(work, GROWTH * before, what)
            before = work

    setattr(Growth, f"test_{kind.__name__}", test)


def add_test_of_largest(kind, size):
    def test(self):
        what = f"{kind.__name__} of {size}"
        file = self.write(kind, size)
        self.check_compiles(file, what)
        done = run(TOOL, "analyze", file, "--gpu", GPU, "--no-cuda-sdk",
                   "--ptxas", "off")
        if done.returncode != 0:
            self.assertEqual(done.returncode, 3, f"{what}: {done.stderr}")
            self.assertIn("the analysis was ended early: it takes more than",
                          done.stdout + done.stderr, what)

    setattr(Largest, f"test_{kind.__name__}", test)


for each_kind, its_size in growing_inputs.LARGEST.items():
    add_test_of_largest(each_kind, its_size)
for each_kind, its_sizes in growing_inputs.KINDS.items():
    add_test(each_kind, its_sizes)


if __name__ == "__main__":
    unittest.main()
