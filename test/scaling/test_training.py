"""train-scaling on tables whose clusters are known: kernels bound by computation
and kernels bound by memory, which one feature tells apart. Whichever kernel is
left out, the others give its scaling exactly."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("BUILD", ROOT / "build"))
HEADER = ("dataset,kernel,gpu,base_core_mhz,base_memory_mhz,sm_count,core_mhz,"
          "memory_mhz,measured_ms,predicted_ms,features\n")
CORES, MEMORIES, COUNTS = (500, 800, 1000), (600, 1200), (8, 16)


def table(error=1.0):
    """Eight kernels of two kinds over a whole grid. The prediction is as much
    too long at the lowest core clock as error says."""
    lines = [HEADER]
    for number in range(8):
        memory_bound = number % 2
        for sms in COUNTS:
            for core in CORES:
                for memory in MEMORIES:
                    ms = (1200 / memory if memory_bound
                          else 16 / sms * 1000 / core) * (number + 1)
                    predicted = ms * (error if core == 500 else 1)
                    base = (sms, core, memory) == (16, 1000, 1200)
                    feature = (f"static:dram={memory_bound} static:core="
                               f"{1 - memory_bound}" if base else "")
                    lines.append(f"made,k{number},gpu-a,1000,1200,{sms},{core},"
                                 f"{memory},{ms!r},{predicted!r},{feature}\n")
    return "".join(lines)


def train(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table.csv")
        file.write_text(text, encoding="utf-8")
        out = Path(folder, "clusters.txt")
        run = subprocess.run([BUILD / "bin/train-scaling", file, "-o", out,
                              "--clusters", "2", *options],
                             capture_output=True, text=True, check=False)
        model = out.read_text(encoding="utf-8") if out.exists() else ""
        return run, model


class Training(unittest.TestCase):
    def test_known_clusters_are_exact(self):
        run, model = train(table())
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.count(": 0.00 % left out"), 2, run.stdout)
        self.assertEqual(model.count("left_out k"), 16)
        # Two counts and the scaling over them: three sets for each predictor.
        self.assertEqual(model.count("clock_scaling"), 4)
        self.assertEqual(model.count("sm_scaling"), 2)

    def test_a_correction_undoes_a_common_error(self):
        run, _ = train(table(error=1.5))
        self.assertIn("analytic", run.stdout)
        self.assertNotIn("analytic 0.00 %", run.stdout)
        self.assertEqual(run.stdout.count(": 0.00 % left out"), 2, run.stdout)

    def test_the_same_table_gives_the_same_text(self):
        self.assertEqual(train(table())[1], train(table())[1])

    def test_problems_name_the_line(self):
        run, _ = train(HEADER + "made,k,gpu-a,1,1,8,x,1,1,1,\n")
        self.assertEqual(run.returncode, 2)
        self.assertIn("table.csv:2: expected a number, got 'x'", run.stderr)


if __name__ == "__main__":
    unittest.main()
