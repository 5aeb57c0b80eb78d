"""The plan of a dataset: which kernels, sizes and blocks are measured, and the
programs that measure them. For scripts/measure-dataset."""

import csv
import itertools
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
VALIDATION = HERE.parent.parent / "validation"
HARNESS = HERE / "harness.h"
CONTENTS = {"values": "Values", "zeros": "Zeros", "random": "Random",
            "ascending": "Ascending"}


class Problem(Exception):
    """A message for the user."""


def evaluate(expression, size, block):
    """A number of the plan: an expression over s (the size) and x, y, z."""
    names = {"s": size, "x": block[0], "y": block[1], "z": block[2],
             "up": lambda a, b: -(-a // b), "__builtins__": {}}
    return eval(expression, names)  # of our own file


def shape(text):
    parts = [int(part) for part in text.split("x")]
    return tuple(parts + [1] * (3 - len(parts)))


def expand(row, quick):
    """The cases of one row of the plan: every size with every block."""
    sizes, blocks = row["sizes"].split(), row["blocks"].split()
    if quick:
        sizes, blocks = sizes[:2], blocks[:1]
    for size_text, block_text in itertools.product(sizes, blocks):
        size, block = evaluate(size_text, 0, (1, 1, 1)), shape(block_text)

        def number(text):
            return evaluate(text, size, block)
        params = dict(item.split("=", 1) for item in row["params"].split())
        yield {"case": f"{row['kernel']}/{size}/{block_text}",
               "kernel": row["kernel"], "file": row["file"],
               "function": row["function"], "defines": row["defines"],
               "grid": "x".join(str(number(g)) for g in row["grid"].split()),
               "block": block_text,
               "dynamic_smem": str(number(row["dynamic_smem"] or "0")),
               "params": {k: number(v) for k, v in params.items()},
               "fill": dict(f.split("=") for f in row["fill"].split())}


def cases_of(path, quick):
    """The cases of a dataset that is there already, without its times."""
    sizes = {}
    for row in csv.DictReader(open(path, newline="")):
        seen = sizes.setdefault(row["kernel"], [])
        size, block = row["case"].split("/")[-2:]
        if size not in seen:
            seen.append(size)
        if quick and (size not in seen[:2] or block != "256"):
            continue
        # What was known of the data does not hold: index buffers are zeros.
        params = {k: 0.0 if "@" in k else float(v) for k, v in
                  (item.rsplit("=", 1) for item in row["params"].split())}
        yield {"case": row["case"], "kernel": row["kernel"],
               "file": f"{path.parent.name}/{row['file']}",
               "function": row["function"], "defines": "",
               "grid": row["grid"], "block": row["block"], "dynamic_smem": "0",
               "params": params, "fill": {}}


def read_plan(path, quick):
    cases = []
    for row in csv.DictReader(open(path, newline="")):
        if row["kernel"] == "*":
            cases += cases_of(VALIDATION / row["file"], quick)
        else:
            cases += expand(row, quick)
    ids = [case["case"] for case in cases]
    if len(set(ids)) != len(ids):
        raise Problem(f"{path}: two cases have the same name")
    return cases


def programs_of(cases):
    """Cases by program: its name, the source file and the macros."""
    programs = {}
    for case in cases:
        words = re.sub(r"\.\./|\.cu$", "", case["file"])
        group = re.sub(r"\W+", "-", f"{words}-{case['defines']}").strip("-")
        programs.setdefault((group, case["file"], case["defines"]),
                            []).append(case)
    return programs


def parameters_of(source, function):
    """Names of a kernel's parameters, and whether each is a pointer."""
    name = re.escape(function.split("<")[0])
    start = re.search(rf"__global__[^;{{]*?\b{name}\s*\(", source)
    if not start:
        raise Problem(f"no kernel is called {function}")
    text = source[start.end():source.index(")", start.end())]
    return [(re.search(r"(\w+)\s*$", part).group(1), "*" in part)
            for part in text.split(",")]


def run_line(case, source):
    arguments, known = [], dict(case["params"])
    for name, is_pointer in parameters_of(source, case["function"]):
        if is_pointer and name not in known:
            raise Problem(f"{case['case']}: how many elements has '{name}'?")
        # A factor that nothing states does not matter for the time.
        value = float(known.pop(name, 1))
        fill = CONTENTS[case["fill"].get(name, "values")]
        arguments.append(f"{{{value!r}, Content::{fill}}}")
    left = [name for name in known if "@" not in name]
    if left:
        raise Problem(f"{case['case']}: no parameter is called '{left[0]}'")
    function = re.sub(r"^(\w+)", r"kernels::\1", case["function"])
    grid = ", ".join(case["grid"].split("x"))
    block = ", ".join(case["block"].split("x"))
    return (f'  Program.run("{case["case"]}", {function}, dim3({grid}), '
            f'dim3({block}),\n              {case["dynamic_smem"]}, '
            f'{{{", ".join(arguments)}}});\n')


def program_text(group, file, defines, cases):
    path = VALIDATION / file
    source = path.read_text()
    # Headers first, so that only the kernels lie in the namespace: a kernel may
    # have the name of a function of the C library.
    includes = "".join(f"{line}\n" for line in
                       re.findall(r"^#include <.*>", source, re.M)
                       if "hip" not in line)
    macros = "".join(f"#define {d.replace('=', ' ')}\n" for d in defines.split())
    runs = "".join(run_line(case, source) for case in cases)
    return (f'// Written by scripts/measure-dataset.\n'
            f'#include "{HARNESS}"\n{includes}{macros}'
            f'namespace kernels {{\n#include "{path.resolve()}"\n}}\n'
            f'using namespace bench;\n'
            f'int main(int ArgCount, char **Args) {{\n'
            f'  DatasetProgram Program("{group}", ArgCount, Args);\n{runs}}}\n')


def write_programs(programs, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for (group, file, defines), cases in programs.items():
        (folder / f"{group}.cu").write_text(
            program_text(group, file, defines, cases))
