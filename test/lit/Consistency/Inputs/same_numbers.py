"""Asks every command for the numbers of one launch, and compares them.

    same_numbers.py BUILD WORK FILE --kernel NAME [--run]
    same_numbers.py BUILD WORK --seeds COUNT [--first SEED]

Numbers are the time, the bound, the interval and the premises; of several
launches of the kernel, sums of the times and of the ends of the intervals, the
bound of the longest launch, and all premises. `analyze` has them launch by
launch, `golden` times and bounds with few digits, `tune` those of the unchanged
source, `sweep` those of the card as it is, and `validate` those of a case whose
launch is the one in host code, if that is one without guesses.

A size that is not known leaves no time: the file gets an annotation that
settles it.

With --run the file is a program, which `run` executes: its launches have the
time of a single launch.

With --seeds the files come from test/fuzz/launch_grammar.py. The exit status is
1 if two commands differ; BUILD and WORK are folders.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "test" / "fuzz"))

import launch_grammar  # noqa: E402

GPU, MULTIPROCESSORS = "nvidia-a100-40gb-pcie", 108
PLAIN = ["--no-cuda-sdk", "--ptxas", "off"]
# The part of a plan that is the same for every command must not end early.
PATIENT = ["--deadline", "300"]


class Numbers:
    """The numbers of all launches of a kernel, as one command prints them."""

    def __init__(self, launches):
        self.time = sum(launch["time_ms"] for launch in launches)
        longest = max(launches, key=lambda launch: launch["time_ms"])
        self.bound = longest["bottleneck"]
        self.interval = None
        intervals = [launch.get("interval") for launch in launches]
        if all(intervals):
            self.interval = tuple(sum(i[end] for i in intervals)
                                  for end in ("low_ms", "high_ms"))
        self.premises = []
        for launch in launches:
            for premise in launch.get("premises", []):
                if premise not in self.premises:
                    self.premises.append(premise)
        self.count = len(launches)

    def __str__(self):
        interval = ("not known" if self.interval is None else
                    f"{self.interval[0]:.9g} to {self.interval[1]:.9g} ms")
        return (f"{self.time:.9g} ms, {self.bound}, {interval}, "
                f"premises {json.dumps(self.premises)}")

    def differs(self, other):
        """Why two sets of numbers are not the same; "" if they are."""
        # Sums of several launches may be rounded in another order.
        def same(a, b):
            return a == b or (max(self.count, other.count) > 1
                              and math.isclose(a, b, rel_tol=1e-13))
        if not same(self.time, other.time):
            return f"time {self.time!r} and {other.time!r} ms"
        if self.bound != other.bound:
            return f"bound {self.bound} and {other.bound}"
        if (self.interval is None) != (other.interval is None) or (
                self.interval and not all(map(same, self.interval,
                                              other.interval))):
            return f"interval {self.interval} and {other.interval}"
        if self.premises != other.premises:
            return f"premises {self.premises} and {other.premises}"
        return ""


class Commands:
    """Runs the commands on one kernel of one file."""

    def __init__(self, build, work, file, kernel):
        self.tool = str(build / "bin" / "gpu-estimate")
        self.plugin = build / "lib" / "GpuEstimate.so"
        self.work, self.file, self.kernel = work, file, kernel

    def run(self, command, *arguments, **options):
        return subprocess.run([self.tool, command, *arguments],
                              capture_output=True, text=True, **options)

    def json(self, command, *arguments):
        done = self.run(command, str(self.file), "--gpu", GPU, "--kernel",
                        f"^{self.kernel}$", *PLAIN, "--format", "json",
                        *arguments)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise RuntimeError(f"{command}: {done.stderr or done.stdout}")

    def settle(self):
        """Where a size is not known, an annotation in the file tells it, as the
        report asks for."""
        values = {"block": "128", "grid": "512"}
        options = set()
        for estimate in self.json("analyze", *PATIENT)["estimates"]:
            words = estimate.get("unknown", {}).get("settle", "").split()
            options |= set(zip(words[::2], words[1::2]))
        if not options:
            return
        comment = "// gpu-estimate:"
        for option, value in sorted(options):
            name = option.removeprefix("--")
            comment += (" param " + value.replace("=VALUE", "=4096")
                        if name == "param" else f" {name}={values[name]}")
        lines = self.file.read_text().splitlines(keepends=True)
        (place,) = [number for number, line in enumerate(lines)
                    if "__global__" in line and self.kernel in line]
        lines.insert(place, comment + "\n")
        self.file.write_text("".join(lines))

    def analyze(self):
        """Nothing if a launch cannot be: a sum over all of them has no time."""
        result = self.json("analyze", *PATIENT)
        self.estimates = result["estimates"]
        if not self.estimates or result["unresolved"]:
            return None
        return Numbers(self.estimates)

    def golden(self, expected):
        """Times and bounds with the digits that a golden file has."""
        file = self.work / "golden.txt"
        done = self.run("golden", "--update", str(file), str(self.file),
                        "--gpu", GPU, "--kernel", f"^{self.kernel}$", *PLAIN,
                        *PATIENT)
        if done.returncode:
            return done.stderr
        rows = [line.split(" | ") for line in file.read_text().splitlines()
                if not line.startswith("#")]
        rows.sort(key=lambda row: int(row[2]))
        if len(rows) != len(self.estimates):
            return f"{len(rows)} rows"
        for row, estimate in zip(rows, self.estimates):
            time = float(row[5].removesuffix(" ms"))
            if not math.isclose(time, estimate["time_ms"], rel_tol=1e-3):
                return f"time {time} and {estimate['time_ms']} ms"
            if row[6] != estimate["bottleneck"]:
                return f"bound {row[6]} and {estimate['bottleneck']}"
        return ""

    def compare(self):
        all_models = self.json("compare", *PATIENT)["comparisons"]
        return Numbers([models["models"][0] for models in all_models])

    def serve(self):
        request = {"id": 1, "method": "estimate",
                   "params": {"source": self.file.read_text(), "gpu": GPU,
                              "file": self.file.name}}
        done = subprocess.run(
            [self.tool, "serve", "--jsonl", *PLAIN], text=True,
            input=json.dumps(request) + "\n", capture_output=True)
        answer = json.loads(done.stdout)["result"]
        return Numbers([estimate for estimate in answer["estimates"]
                        if estimate["kernel"] == self.kernel])

    def compiled_with_plugin(self):
        output = self.work / "plugin.json"
        output.unlink(missing_ok=True)
        settings = {"gpu": GPU, "json": output, "kernel": f"^{self.kernel}$",
                    "deadline": 300}
        subprocess.run(
            ["clang++-19", "-x", "cuda", "-nocudainc", "-nocudalib",
             "--cuda-gpu-arch=sm_80", f"-I{ROOT}/cuda-headers", "-include",
             "gpu_estimate_cuda.h", "--cuda-device-only", "-S", "-w", "-o",
             self.work / "plugin.s", self.file, f"-fplugin={self.plugin}",
             *(f"-fplugin-arg-gpu_estimate-{name}={value}"
               for name, value in settings.items())],
            capture_output=True, check=True)
        return Numbers(json.loads(output.read_text())["estimates"])

    def sweep(self):
        result = self.json("sweep", "--vary", f"sm_count={MULTIPROCESSORS}")
        (surface,) = result["surfaces"]
        (point,) = surface["points"]
        as_is = surface.get("as_is", point)
        if (point["time_ms"], point["bottleneck"]) != (as_is["time_ms"],
                                                       as_is["bottleneck"]):
            raise RuntimeError(f"sweep: {point} is not {as_is}")
        numbers = Numbers([{**as_is, "premises": surface["premises"]}])
        numbers.count = surface["launches"]
        return numbers

    def tune(self):
        blocks = [estimate["launch"]["block"] for estimate in self.estimates]
        result = self.json("tune", "--block", "x".join(map(str, blocks[0])))
        (tuning,) = result["tunings"]
        (configuration,) = tuning["configurations"]
        if all(block == blocks[0] for block in blocks):
            for key in ("time_ms", "bottleneck"):
                if configuration[key] != tuning["as_written"][key]:
                    raise RuntimeError(f"tune: {configuration} is not "
                                       f"{tuning['as_written']}")
        numbers = Numbers([tuning["as_written"]])
        numbers.count = tuning["launches"]
        return numbers

    def validate(self):
        """The case states what a measurement would: sizes and arguments."""
        folder = self.work / "data" / "case"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "dataset.yaml").write_text(
            "schema: gpu-estimate-dataset/1\nname: case\n"
            "description: one case without a measurement\n"
            "source: made up\ncaches: warm\ntiming: back-to-back\n"
            f"cases: cases.csv\nfile: {self.file.name}\n")
        (folder / self.file.name).write_text(self.file.read_text())
        (estimate,) = self.estimates
        launch = estimate["launch"]
        arguments = " ".join(f"{name}={value:.17g}" for name, value
                             in estimate["arguments"].items())
        (folder / "cases.csv").write_text(
            "case,kernel,function,gpu,grid,block,params,ms\n"
            f"a,a,{self.kernel},{GPU},{launch['grid'][0]},"
            f"{launch['block'][0]},{arguments},1\n")
        done = self.run("validate", "--validation", str(folder.parent),
                        "--bounds", "off", "--format", "json")
        try:
            (case,) = json.loads(done.stdout)["cases"]
        except ValueError:
            raise RuntimeError(f"validate: {done.stderr or done.stdout}")
        low, high = case["intervals_ms"][1]  # of 80 %
        return Numbers([{"time_ms": case["predicted_ms"],
                         "bottleneck": case["bottleneck"],
                         "interval": {"low_ms": low, "high_ms": high},
                         "premises": case.get("premises", [])}])

    def run_program(self):
        """What analyze says of single launches, and what it says of a run."""
        saved = self.work / "saved.gpurun"
        done = self.run("run", str(self.file), "--gpu", GPU, "--save",
                        str(saved))
        if done.returncode:
            raise RuntimeError(f"run: {done.stderr}")
        single = self.json("analyze", *PATIENT, "--timing", "single")
        self.file = saved
        run = self.json("analyze")
        return Numbers(single["estimates"]), Numbers(run["estimates"])

    def states_everything(self):
        """One launch without guesses: what is assumed is about a line of the
        kernel ("trip@k.cu:4")."""
        return len(self.estimates) == 1 and all(
            "@" in assumption["settle"]
            for assumption in self.estimates[0]["assumptions"])


def compare(commands, runs=False):
    """The numbers of analyze, the commands that agree, and what differs."""
    commands.settle()
    expected = commands.analyze()
    if not expected:
        return None, [], []
    names = ["analyze"]
    problems = []

    def add(name, difference):
        names.append(name)
        if difference:
            problems.append(f"{name}: {difference}")

    add("golden", commands.golden(expected))
    add("compare", expected.differs(commands.compare()))
    add("serve", expected.differs(commands.serve()))
    add("plugin", expected.differs(commands.compiled_with_plugin()))
    add("sweep", expected.differs(commands.sweep()))
    add("tune", expected.differs(commands.tune()))
    if commands.states_everything():
        add("validate", expected.differs(commands.validate()))
    if runs:
        single, run = commands.run_program()
        add("run", single.differs(run))
    return expected, names, problems


def check_seeds(options):
    bad = without = 0
    for seed in range(options.first, options.first + options.seeds):
        file = options.work / f"{seed}.cu"
        text, kernel = launch_grammar.generate(seed)
        file.write_text(text)
        try:
            expected, _, problems = compare(
                Commands(options.build, options.work, file, kernel))
        except RuntimeError as error:
            expected, problems = True, [str(error)]
        without += not expected
        if problems:
            bad += 1
            print(f"{file}: {'; '.join(problems)}", flush=True)
        else:
            file.unlink()
    print(f"{options.seeds} files, {without} without an estimate, "
          f"{bad} with commands that differ")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--kernel")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.seeds:
        return check_seeds(options)
    expected, names, problems = compare(
        Commands(options.build, options.work, options.file, options.kernel),
        options.run)
    print(f"{options.kernel}: {expected}")
    for problem in problems:
        print(problem)
    if not problems:
        print(f"{', '.join(names)} agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
