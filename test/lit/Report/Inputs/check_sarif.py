"""Checks a SARIF file against a schema, and that its parts fit together.

check_sarif.py SCHEMA FILE
    FILE may be checked against the standard's own schema in the same way.
"""

import json
import sys
from pathlib import Path

import jsonschema

schema, log = (json.loads(Path(name).read_text()) for name in sys.argv[1:3])
jsonschema.validate(log, schema)
for run in log["runs"]:
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"], result
print(f"SARIF {log['version']}: {len(log['runs'])} run, {len(rules)} rules, "
      f"{len(run['results'])} results")
