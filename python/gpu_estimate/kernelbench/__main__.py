"""gpu-estimate kernelbench REFERENCE.py SOLUTION.py... --gpu ID"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

from ..results import milliseconds



def _arguments(words: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gpu-estimate kernelbench",
        description="Verifies solutions of a KernelBench problem without a GPU, and "
        "predicts their speed-up. Exit status: 0 all are correct, 1 one is not, 2 "
        "wrong usage, 3 one could not be verified.")
    parser.add_argument("reference", type=Path,
                        help="file with Model, get_inputs and get_init_inputs")
    parser.add_argument("solutions", type=Path, nargs="+", metavar="solution",
                        help="file with ModelNew; several are ranked")
    parser.add_argument("--gpu", action="append", required=True,
                        help="id of a GPU model (gpu-estimate gpus); may be given "
                        "several times")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--trials", type=int, default=3,
                        help="random inputs; the last one is written into the tensors "
                        "of the one before (3)")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--tolerance", type=float, default=None,
                        help="absolute and relative; else KernelBench's for the type: "
                        "1e-4 for fp32, 1e-2 for fp16 and bf16")
    parser.add_argument("--reduce", type=int, default=0, metavar="N",
                        help="divide sizes above 64 by N to execute; 1: whole sizes; "
                        "0: as much as the CPU needs (0)")
    parser.add_argument("--timeout", type=float, default=300,
                        help="seconds for each solution (300)")
    found = parser.parse_args(words)
    for file in (found.reference, *found.solutions):
        if not file.is_file():
            parser.error(f"{file}: no such file")
    if found.trials < 1 or found.reduce < 0:
        parser.error("--trials is at least 1, --reduce at least 0")
    return found


def _verdict(given: argparse.Namespace, solution: Path) -> Dict[str, Any]:
    """In a process of its own: a solution can crash, hang and replace functions."""
    request = {"reference": str(given.reference), "solution": str(solution),
               "gpus": given.gpu, "trials": given.trials, "seed": given.seed,
               "tolerance": given.tolerance, "reduction": given.reduce}
    problem = ""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "gpu_estimate.kernelbench.verifier"],
            input=json.dumps(request), capture_output=True, text=True,
            timeout=given.timeout)
        if done.returncode == 0:
            return json.loads(done.stdout)
        problem = "\n".join(done.stderr.splitlines()[-5:]) or \
            f"its process ended with status {done.returncode}"
        state = "fault" if done.returncode < 0 else "unknown"
    except subprocess.TimeoutExpired:
        problem = f"not done after {given.timeout:g} s: --timeout gives it more"
        state = "unknown"
    return {"solution": str(solution), "verdict": state, "messages": [problem],
            "tricks": [], "warnings": [], "times": []}


def _text(found: Dict[str, Any]) -> str:
    lines = [f"{found['solution']}: {found['verdict']}"]
    if found.get("trials"):
        lines[0] += (f" in {found['trials']} trial"
                     f"{'s' if found['trials'] > 1 else ''}, largest error "
                     f"{found['max_error']:.3g} (tolerance {found['tolerance']:g})")
    lines += [f"  {text}" for text in found["messages"]]
    lines += [f"  trick: {text}" for text in found["tricks"]]
    lines += [f"  warning: {text}" for text in found["warnings"]]
    for row in found["times"]:
        low, high = row["speedup_interval"]
        lines.append(
            f"  {row['gpu']}: {row['speedup']:.3g} times as fast ({low:.3g} to "
            f"{high:.3g}): {milliseconds(row['solution_ms'])} in place of "
            f"{milliseconds(row['reference_ms'])}; {row['roofline_share']:.0%} of the "
            f"roofline, bound by {row['bound']}")
    return "\n".join(lines)


def main(words: Optional[Sequence[str]] = None) -> int:
    given = _arguments(words)
    verdicts = [_verdict(given, solution) for solution in given.solutions]

    def rank(found: Dict[str, Any]) -> Any:
        times = found["times"]
        return (found["verdict"] != "correct",
                times[0]["solution_ms"] if times else float("inf"))

    if len(verdicts) > 1:
        verdicts.sort(key=rank)
    if given.format == "json":
        print(json.dumps(verdicts if len(verdicts) > 1 else verdicts[0], indent=1))
    else:
        print("\n".join(_text(found) for found in verdicts))
    states: List[str] = [found["verdict"] for found in verdicts]
    if all(state == "correct" for state in states):
        return 0
    return 3 if all(state in ("correct", "unknown") for state in states) else 1


if __name__ == "__main__":
    sys.exit(main())
