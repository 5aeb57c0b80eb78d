"""Tests of the corpus runner, with a stand-in for gpu-estimate and for clang.

    python3 -m unittest discover -s test/corpus

The stand-ins are scripts that read the source they are given: a line
`//tool: WORDS` says what the tool is to do, `//clang: NAMES` which kernels clang
emits.
"""

import contextlib
import csv
import importlib.machinery
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import outcome  # noqa: E402
import reference  # noqa: E402
import sources  # noqa: E402
import table  # noqa: E402

_loader = importlib.machinery.SourceFileLoader("corpus_run", str(HERE / "run"))
_spec = importlib.util.spec_from_loader("corpus_run", _loader)
corpus_run = importlib.util.module_from_spec(_spec)
sys.dont_write_bytecode = True
_loader.exec_module(corpus_run)

FAKE_TOOL = r'''#!/usr/bin/env python3
import json, os, re, signal, sys, time
file = sys.argv[2]
words = re.search(r"//tool: (.*)", open(file).read())[1].split()
action, names = words[0], words[1:]
if action == "signal": os.kill(os.getpid(), signal.SIGSEGV)
if action == "hang": time.sleep(60)
if action == "parse":
    sys.stderr.write(f"{file}:3:1: error: unknown type name 'foo'\n"); sys.exit(3)
if action == "refuse":
    sys.stderr.write("gpu-estimate: no kernel in the input\n"); sys.exit(3)
if action == "usage": sys.stderr.write("unknown option\n"); sys.exit(2)
if action == "abort": sys.stderr.write("LLVM ERROR: broken\n"); sys.exit(1)
if action == "garbage": print('{"schema": "gpu-estimate/1", "esti'); sys.exit(0)
ok = [n for n in names if n[0] not in "?-"]
print(json.dumps({"schema": "gpu-estimate/1",
  "estimates": [{"kernel": n, "time_ms": 1.5} for n in ok] +
               [{"kernel": n[1:], "time_ms": -1.0} for n in names if n[0] == "-"],
  "unresolved": [{"kernel": n[1:], "reason": f"loop at a.cu:{len(n)}:1 of '{n}'"}
                 for n in names if n[0] == "?"]}))
sys.exit(1 if action == "budget" else 0)
'''

FAKE_CLANG = r'''#!/usr/bin/env python3
import re, sys
file = sys.argv[-1]
words = re.search(r"//clang: ?(.*)", open(file).read())[1].split()
if words[:1] == ["error"]:
    sys.stderr.write(f"{file}:1:1: fatal error: 'x.h' file not found\n"); sys.exit(1)
for i, name in enumerate(words):
    print(f'!{i} = !{{ptr @{name}, !"kernel", i32 1}}')
'''


class CorpusFolder(unittest.TestCase):
    """Gives each test a folder for sources, with the two stand-ins beside it."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.folder = self.scratch / "corpus"
        self.folder.mkdir()
        for name, text in [("tool", FAKE_TOOL), ("clang", FAKE_CLANG)]:
            (self.scratch / name).write_text(text)
            (self.scratch / name).chmod(0o755)

    def add(self, name, tool, clang, text=""):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"//tool: {tool}\n//clang: {clang}\n{text}\n")

    def run_corpus(self, *more):
        """Returns exit status, printed text, and CSV rows by file name."""
        rows = self.scratch / "out.csv"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = corpus_run.main([
                str(self.folder), "-o", str(rows), "--timeout", "10",
                "--tool", str(self.scratch / "tool"),
                "--clang", str(self.scratch / "clang"), *more])
        with open(rows, newline="", encoding="utf-8") as file:
            by_name = {os.path.basename(row["file"]): row
                       for row in csv.DictReader(file)}
        return status, printed.getvalue(), by_name

    def run_one(self, tool, clang, *more):
        self.add("a.cu", tool, clang)
        status, printed, rows = self.run_corpus(*more)
        return status, printed, rows["a.cu"]


class Classification(CorpusFolder):
    def test_all_kernels_accounted_for(self):
        status, printed, row = self.run_one("ok k1 ?k2", "k1 k2")
        self.assertEqual(status, 0)
        self.assertEqual(row["status"], outcome.ANALYSED)
        self.assertEqual((row["kernels_emitted"], row["estimated"],
                          row["unresolved"], row["lost"]), ("2", "1", "1", ""))
        self.assertIn("50.0 %", printed)
        self.assertIn("1 loop at FILE:LINE of '...'", printed)

    def test_lost_kernel_fails(self):
        status, printed, row = self.run_one("ok k1", "k1 k2")
        self.assertEqual((status, row["lost"]), (1, "k2"))
        self.assertIn("a.cu: k2", printed)

    def test_lost_kernel_goes_unnoticed_without_clang(self):
        status, _, row = self.run_one("ok k1", "k1 k2", "--no-clang")
        self.assertEqual((status, row["lost"], row["kernels_emitted"]),
                         (0, "", ""))

    def test_signal_is_a_crash(self):
        status, printed, row = self.run_one("signal", "k1")
        self.assertEqual((status, row["status"], row["detail"]),
                         (1, outcome.CRASH, "SIGSEGV"))
        self.assertIn("crash:", printed)

    def test_last_words_of_llvm_are_a_crash(self):
        status, _, row = self.run_one("abort", "k1")
        self.assertEqual((status, row["status"]), (1, outcome.CRASH))

    def test_time_limit_is_a_hang(self):
        status, _, row = self.run_one("hang", "k1", "--timeout", "0.5")
        self.assertEqual((status, row["status"]), (1, outcome.HANG))
        self.assertLess(float(row["seconds"]), 10)

    def test_parse_error_of_both_is_no_failure(self):
        status, _, row = self.run_one("parse", "error")
        self.assertEqual((status, row["status"]), (0, outcome.NOT_PARSED))
        self.assertIn("unknown type name", row["detail"])

    def test_parse_error_of_the_tool_alone_fails(self):
        status, printed, row = self.run_one("parse", "k1")
        self.assertEqual((status, row["parse_differs"]), (1, "1"))
        self.assertIn("parsed by clang, not by the tool", printed)

    def test_refusal_of_a_file_without_kernels_is_no_failure(self):
        status, _, row = self.run_one("refuse", "")
        self.assertEqual((status, row["status"]), (0, outcome.REFUSED))

    def test_refusal_of_a_file_with_kernels_loses_them(self):
        status, _, row = self.run_one("refuse", "k1")
        self.assertEqual((status, row["lost"]), (1, "k1"))

    def test_usage_error_is_no_answer(self):
        status, _, row = self.run_one("usage", "")
        self.assertEqual((status, row["status"]), (1, outcome.BAD_OUTPUT))

    def test_broken_json_fails(self):
        status, _, row = self.run_one("garbage", "")
        self.assertEqual((status, row["status"]), (1, outcome.BAD_OUTPUT))

    def test_exceeded_budget_still_counts_as_analysed(self):
        status, _, row = self.run_one("budget k1", "k1")
        self.assertEqual((status, row["status"]), (0, outcome.ANALYSED))

    def test_negative_time_fails(self):
        status, _, row = self.run_one("ok -k1", "k1")
        self.assertEqual((status, row["bad_numbers"]), (1, "k1"))

    def test_internal_kernels_match_whatever_their_suffix(self):
        status, _, row = self.run_one("ok k1__static__1234", "k1__static__abcd")
        self.assertEqual((status, row["lost"]), (0, ""))

    def test_kernel_in_both_lists_is_counted_once(self):
        _, _, row = self.run_one("ok k1 ?k1", "k1")
        self.assertEqual((row["estimated"], row["unresolved"]), ("1", "0"))

    def test_many_files_are_totalled_in_one_row(self):
        self.add("x/a.cu", "ok k1 k2", "k1 k2")
        self.add("y/b.cu", "parse", "error")
        self.add("y/c.cu", "ok ?k3", "k3")
        status, printed, rows = self.run_corpus()
        self.assertEqual((status, len(rows)), (0, 3))
        counts = printed.splitlines()[1].split()[1:]
        self.assertEqual(counts, ["3", "1", "0", "2", "0", "0", "0", "3", "2",
                                  "1", "0", "66.7", "%"])


class ReferenceAnswers(CorpusFolder):
    def test_answers_are_kept_between_runs(self):
        store = self.scratch / "reference.json"
        self.run_one("ok k1", "k1", "--reference", str(store))
        kept = json.loads(store.read_text())
        self.assertEqual([answer["kernels"] for answer in kept.values()],
                         [["k1"]])
        (self.scratch / "clang").write_text("#!/bin/false\n")
        status, _, _ = self.run_corpus("--reference", str(store))
        self.assertEqual(status, 0)

    def test_kernels_are_read_from_metadata_and_calling_convention(self):
        text = ('define dso_local ptx_kernel void @_Z1av() {\n'
                'define dso_local void @_Z1bv() {\n'
                '!0 = !{ptr @_Z1cv, !"kernel", i32 1}\n'
                '!1 = !{ptr @"odd name", !"kernel", i32 1}\n'
                '!2 = !{ptr @_Z1cv, !"maxntidx", i32 256}\n')
        self.assertEqual(reference.kernels_in_ir(text),
                         ["_Z1av", "_Z1cv", "odd name"])


class Sources(CorpusFolder):
    def test_header_folders_beside_and_above_are_found(self):
        for name in ["Common", "a/inc", "a/b/utilities", "a/other", "x/inc"]:
            (self.folder / name).mkdir(parents=True)
        self.add("a/b/f.cu", "ok", "")
        found = sources.include_folders(self.folder / "a/b/f.cu", self.folder)
        names = [str(path.relative_to(self.folder.resolve())) for path in found]
        self.assertEqual(names, ["a/b/utilities", "a/inc", "Common"])

    def test_own_folder_is_searched_last(self):
        (self.folder / "inc").mkdir()
        self.add("f.cu", "ok", "")
        root = self.folder.resolve()
        self.assertEqual(sources.flags_for(self.folder / "f.cu", self.folder),
                         ["-ferror-limit=0", f"-I{root}/inc",
                          f"-idirafter{root}"])

    def test_kernels_in_text(self):
        text = """
            __global__ void plain(int *p) { *p = 1; }
            extern "C" __global__ void
            __launch_bounds__(256, (2)) bounded(int n) {}
            __global__ void late(int n) __launch_bounds__(64) {}
            template <int N> static void __global__ shaped(float (*f)(int)) {}
            template <> __global__ void special<float>(int) {}
            __global__ void declared(int n);
            // __global__ void commented(int n) {}
            /* __global__ void commentedToo(int n) {} */
            const char *s = "__global__ void quoted(int n) {}";
        """
        self.assertEqual(sources.kernels_defined(text),
                         {"plain", "bounded", "late", "shaped", "special"})

    def test_kernels_of_included_files_count(self):
        self.add("inc/k.cuh", "ok", "", "__global__ void inner() {}")
        self.add("f.cu", "ok", "", '#include "k.cuh"\n#include "f.cu"\n')
        self.assertEqual(sources.kernels_in_text(self.folder / "f.cu",
                                                 self.folder), {"inner"})

    def test_kernels_that_only_the_text_knows_are_unseen(self):
        self.add("f.cu", "ok _Z3onev", "_Z3onev",
                 "__global__ void one() {}\n"
                 "template <int> __global__ void two() {}")
        status, _, rows = self.run_corpus()
        self.assertEqual((status, rows["f.cu"]["named_in_text"],
                          rows["f.cu"]["unseen"]), (0, "2", "two"))


class CommandLine(CorpusFolder):
    def call(self, *arguments):
        return subprocess.run([sys.executable, str(HERE / "run"), *arguments],
                              capture_output=True, text=True)

    def test_missing_folder_is_a_usage_error(self):
        done = self.call(str(self.folder / "nowhere"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not a folder", done.stderr)

    def test_folder_without_sources_is_a_usage_error(self):
        done = self.call(str(self.folder), "--tool", str(self.scratch / "tool"),
                         "--no-clang")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no .cu file", done.stderr)

    def test_flags_after_dashes_reach_the_tool_and_clang(self):
        for name in ["tool", "clang"]:
            script = (self.scratch / name).read_text()
            (self.scratch / name).write_text(script.replace(
                "file = ", "assert '-DX=1' in sys.argv\nfile = ", 1))
        status, _, _ = self.run_one("ok k1", "k1", "--", "-DX=1")
        self.assertEqual(status, 0)
        status, _, _ = self.run_one("ok k1", "k1")
        self.assertEqual(status, 1)


class Reasons(unittest.TestCase):
    def test_like_reasons_meet(self):
        self.assertEqual(
            table.generalise("call of 'f' at /a/b.cu:3:4 needs 7 bytes"),
            table.generalise("call of 'g' at c.cuh:10 needs 12 bytes"))


if __name__ == "__main__":
    unittest.main()
