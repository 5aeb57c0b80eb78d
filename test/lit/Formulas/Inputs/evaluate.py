"""Evaluates the functions of --formulas=python and --formulas=c and compares
them with what the tool reports for the same arguments.

    evaluate.py FOLDER COMPILER N,N,... TOOL ARGUMENTS...

TOOL ARGUMENTS analyse one kernel with an argument n by --model kleimenov. For
each n: `time` must be what one warp takes alone (time_WP of the model),
`mem` times the threads its bytes, and C and Python must agree on all functions.
"""

import inspect
import json
import math
import re
import subprocess
import sys
from pathlib import Path

folder, compiler, sizes, *tool = Path(sys.argv[1]), *sys.argv[2:]
folder.mkdir(exist_ok=True)
checks = 0


def run(*command):
    return subprocess.run(command, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def same(what, got, wanted):
    global checks
    checks += 1
    if not math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-9):
        sys.exit(f"{what}: the function gives {got}, wanted {wanted}")


def functions_of_c(code, calls):
    """Values of NAME(arguments) for all calls, by a compiled program."""
    structure = re.search(r"struct (\w+)_values \{", code)[1]
    lines = []
    for name, arguments in calls:
        head = re.search(rf"^double {name}\((.*)\) \{{$", code, re.MULTILINE)[1]
        words = [repr(float(arguments[p.split()[-1]]))
                 for p in head.split(", ") if p.startswith("double ")]
        if "_values *" in head:
            words.append(f"&{structure}_default")
        lines.append(f'  printf("%.17g\\n", {name}({", ".join(words)}));\n')
    source = folder / "formulas.c"
    source.write_text("#include <stdio.h>\n" + code + "int main(void) {\n"
                      + "".join(lines) + "}\n")
    program = str(folder / "formulas")
    run(compiler, "-std=c99", "-Wall", "-Wextra", "-Werror",
        "-Wno-unused-function", "-ffp-contract=off", str(source), "-o", program,
        "-lm")
    return [float(line) for line in run(program).split()]


for n in map(int, sizes.split(",")):
    options = [*tool, "--model", "kleimenov", "--param", f"n={n}"]
    (estimate,) = json.loads(run(*options, "--format", "json"))["estimates"]
    module = {}
    exec(run(*options, "--formulas=python"), module)
    functions = {name: value for name, value in module.items()
                 if inspect.isfunction(value) and not name.startswith("ge_")}
    assert len(functions) >= 10, functions
    values, calls = {}, []
    for name, function in functions.items():
        parameters = inspect.signature(function).parameters
        arguments = {p: v.default for p, v in parameters.items()}
        arguments.update({"n": n} if "n" in arguments else {})
        values[name] = function(**arguments)
        calls.append((name, arguments))
    of = {name.rsplit(estimate["name"] + "_", 1)[1]: value
          for name, value in values.items()}
    model = estimate["intermediates"]
    threads = math.prod(estimate["launch"]["grid"] + estimate["launch"]["block"])
    same("time", of["time"], model["time_WP"])
    same("time", of["time"],
         estimate["symbolic"]["time_of_longest_warp_cycles"])
    same("mem", of["mem"] * threads, model["mem"])
    same("l1pct", of["l1pct"], model["l1pct"])
    same("l2pct", of["l2pct"], model["l2pct"])
    same("uncoal_mem", of["uncoal_mem"] * threads,
         model["mem"] * model["uncoalpct"])
    same("delay by pipe", sum(value for name, value in of.items()
                              if name.startswith("delay_")), of["delay"])
    same("shared_mem", of["shared_mem"], estimate["shared_bytes_per_block"])
    same("registers", of["registers"], estimate["registers_per_thread"])
    for (name, _), value in zip(calls, functions_of_c(
            run(*options, "--formulas=c"), calls)):
        same(f"{name} in C", value, values[name])
print(f"{checks} values are what the tool reports")
