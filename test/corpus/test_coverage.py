"""Tests of `coverage`, with stand-ins for gpu-estimate and for nvcc.

A line `//tool: WORDS` of a source says what the tool is to do, as in test_run.py,
`//nvcc: NAMES` which kernels nvcc emits, or `//nvcc: error`.
"""

import contextlib
import csv
import importlib.machinery
import importlib.util
import io
import os
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import nvcc  # noqa: E402
from test_run import CorpusFolder  # noqa: E402

_loader = importlib.machinery.SourceFileLoader("coverage", str(HERE / "coverage"))
_spec = importlib.util.spec_from_loader("coverage", _loader)
coverage = importlib.util.module_from_spec(_spec)
_loader.exec_module(coverage)

FAKE_NVCC = r'''#!/usr/bin/env python3
import re, sys, time
file = next(a for a in sys.argv if a.endswith(".cu"))
open(sys.argv[0] + ".log", "a").write(" ".join(sys.argv[1:]) + "\n")
words = re.search(r"//nvcc: ?(.*)", open(file).read())[1].split()
if words[:1] == ["hang"]: time.sleep(60)
if words[:1] == ["error"]:
    sys.stderr.write(f"{file}(1): error: no\n"); sys.exit(2)
with open(sys.argv[sys.argv.index("-o") + 1], "w") as ptx:
    for name in words:
        ptx.write(f".visible .entry {name}(\n")
'''


class Coverage(CorpusFolder):
    def setUp(self):
        super().setUp()
        self.nvcc = self.scratch / "nvcc"
        self.nvcc.write_text(FAKE_NVCC)
        self.nvcc.chmod(0o755)

    def add_file(self, name, tool, nvcc_words):
        self.add(name, tool, "", f"//nvcc: {nvcc_words}")

    def run_coverage(self, *more):
        rows = self.scratch / "out.csv"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = coverage.main([
                str(self.folder), "-o", str(rows), "--timeout", "5",
                "--tool", str(self.scratch / "tool"), "--nvcc",
                str(self.nvcc), "--cache", str(self.scratch / "answers"),
                *more])
        with open(rows, newline="", encoding="utf-8") as file:
            return status, printed.getvalue(), {
                os.path.basename(row["file"]): row["status"]
                for row in csv.DictReader(file)}

    def test_each_status(self):
        self.add_file("all.cu", "ok k1 k2", "k1 k2")
        self.add_file("some.cu", "ok k1 ?k2", "k1 k2")
        self.add_file("none.cu", "ok ?k1", "k1")
        self.add_file("other.cu", "ok k9", "k1")
        self.add_file("refused.cu", "parse", "k1")
        self.add_file("crash.cu", "signal", "k1")
        self.add_file("broken.cu", "ok k1", "error")
        self.add_file("empty.cu", "ok k1", "")
        status, printed, rows = self.run_coverage()
        self.assertEqual(status, 1)
        self.assertEqual(rows, {
            "all.cu": "estimated", "some.cu": "partly", "none.cu":
            "unresolved", "other.cu": "unresolved", "refused.cu": "not parsed",
            "crash.cu": "crash", "broken.cu": "", "empty.cu": ""})
        self.assertIn("16.7 %", printed)
        self.assertIn("not counted: 1 files that nvcc does not compile (0 of "
                      "them for lack of time), 1 files without kernels",
                      printed)
        self.assertIn("unresolved: not in the report", printed)

    def test_names_of_both_compilers_meet(self):
        self.add_file("a.cu", "ok _ZL1kv _ZN12_GLOBAL__N_11fEv",
                      "_Z1kv _ZN36_GLOBAL__N__0a1b2c3d_4_a_cu_6ba5f1a21fEv")
        self.assertEqual(self.run_coverage()[2], {"a.cu": "estimated"})
        self.assertEqual(
            nvcc.spelling("_Z1kIXadL_ZN20_INTERNAL_0a1b2c3d_a1fEPKvEEfEvS2_PT_"),
            nvcc.spelling("_Z1kIXadL_ZL1fPKvEEfEvS1_PT_"))

    def test_answers_are_kept(self):
        self.add_file("a.cu", "ok k1", "k1")
        for _ in range(2):
            self.assertEqual(self.run_coverage()[0], 0)
        self.assertEqual(Path(str(self.nvcc) + ".log").read_text().count("\n"), 1)

    def test_time_limits(self):
        self.add_file("a.cu", "ok k1", "hang")
        self.add_file("b.cu", "hang k1", "k1")
        status, printed, rows = self.run_coverage("--timeout", "2")
        self.assertEqual((status, rows), (1, {"a.cu": "", "b.cu": "hang"}))
        self.assertIn("(1 of them for lack of time)", printed)

    def test_a_sample_does_not_depend_on_order(self):
        for name in "abcdef":
            self.add_file(name + ".cu", "ok k1", "k1")
        first = self.run_coverage("--sample", "3")[2]
        self.assertEqual(len(first), 3)
        (self.folder / "0.cu").write_text("//tool: ok k1\n//nvcc: k1\n")
        self.assertGreaterEqual(
            len(first.keys() & self.run_coverage("--sample", "4")[2].keys()), 3)

    def test_flags_of_clang(self):
        self.assertEqual(nvcc.flags_for(["-ferror-limit=0", "-idirafterX"]),
                         ["-IX"])


if __name__ == "__main__":
    unittest.main()
