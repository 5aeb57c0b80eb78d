"""Holds validation/recorded.json and the tables of accuracy against the
datasets of validation/: none is missing, none has another number of cases."""

import csv
import json
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])


def counted(folder):
    """Cases that are not noisy; launches of one case have one id."""
    with open(folder / "cases.csv", newline="", encoding="utf-8") as file:
        return len({row["case"] for row in csv.DictReader(file)
                    if not row.get("noisy")})


def between_markers(page):
    return page.read_text(encoding="utf-8").split(
        "<!-- accuracy: scripts/update-accuracy -->")[1]


def table_cases(page):
    """Cases of each dataset in the table between the markers."""
    tables = between_markers(page)
    first = tables.split("\n### By bound")[0]  # one bound is called latency, too
    rows = re.findall(r"^\| ([\w-]+)(?:\\\*)? \| (\d+) \|", first,
                      re.MULTILINE)
    return {name: int(cases) for name, cases in rows}


def main():
    folders = [file.parent for file in root.glob("validation/*/dataset.yaml")]
    cases = {folder.name: counted(folder) for folder in folders}
    foreign = {folder.name for folder in folders
               if "\nrepository: " in
               (folder / "dataset.yaml").read_text(encoding="utf-8")}
    record = json.loads(
        (root / "validation/recorded.json").read_text(encoding="utf-8"))
    recorded = {dataset["name"]: dataset for dataset in record["datasets"]}
    assert set(recorded) == foreign, set(recorded) ^ foreign
    for name, dataset in recorded.items():
        (row,) = [row for row in dataset["rows"]
                  if row["model"] == "latency-bandwidth"
                  and not row["gpu"] and not row["bottleneck"]
                  and "inputs" not in row and "decade" not in row]
        assert row["cases"] + dataset["not_predicted"] == cases[name], name
        cases[name] = row["cases"]
    found = table_cases(root / "docs/accuracy.md")
    for name, count in cases.items():
        assert found.get(name) == count, (name, count, found.get(name))
    # Rows of README's table but for those that are parts of another one.
    rows = re.findall(r"^\| (?!of these)[^|]*?(?:: (\d+) datasets)? \| (\d+) \|",
                      between_markers(root / "README.md"), re.MULTILINE)
    datasets = sum(int(number or 1) for number, _ in rows)
    total = sum(int(number) for _, number in rows)
    assert (datasets, total) == (len(cases), sum(cases.values())), rows


main()
