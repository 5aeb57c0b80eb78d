"""Our schema demands all that the standard demands of what we write.

damage_sarif.py SCHEMA FILE
    FILE, a log that has every property below, is damaged in every way that the
    schema of the standard (OASIS SARIF 2.1.0 with errata 01) rules out for them,
    and SCHEMA must reject each damage. What the standard says stands in the table;
    all its objects are closed.
"""

import copy
import json
import sys
from pathlib import Path

import jsonschema

LEVELS = ["none", "note", "warning", "error"]
STRING, ARRAY, OBJECT = {"type": str}, {"type": list}, {"type": dict}
LEVEL = {"type": str, "enum": LEVELS}
MESSAGE = {"type": dict, "required": ["text"]}
LOCATION = {
    "": OBJECT,
    "/message": MESSAGE,
    "/message/text": STRING,
    "/physicalLocation": {"type": dict, "required": ["artifactLocation"]},
    "/physicalLocation/artifactLocation": OBJECT,
    "/physicalLocation/artifactLocation/uri": {"type": str, "format": "uri-reference"},
    "/physicalLocation/region": {"type": dict, "required": ["startLine"]},
    "/physicalLocation/region/startLine": {"type": int, "minimum": 1},
    "/physicalLocation/region/startColumn": {"type": int, "minimum": 1},
    "/logicalLocations": {"type": list, "unique": True},
    "/logicalLocations/0": OBJECT,
    "/logicalLocations/0/decoratedName": STRING,
    "/logicalLocations/0/kind": STRING,
}
DRIVER, RULE, RESULT = "/runs/0/tool/driver", "/runs/0/tool/driver/rules/0", "/runs/0/results/*"
STANDARD = {
    "": {"type": dict, "required": ["version", "runs"]},
    "/$schema": {"type": str, "format": "uri"},
    "/version": {"type": str, "enum": ["2.1.0"]},
    "/runs": ARRAY,
    "/runs/0": {"type": dict, "required": ["tool"]},
    "/runs/0/tool": {"type": dict, "required": ["driver"]},
    DRIVER: {"type": dict, "required": ["name"]},
    DRIVER + "/name": STRING,
    DRIVER + "/version": STRING,
    DRIVER + "/rules": {"type": list, "unique": True},
    RULE: {"type": dict, "required": ["id"]},
    RULE + "/id": STRING,
    RULE + "/shortDescription": MESSAGE,
    RULE + "/shortDescription/text": STRING,
    RULE + "/fullDescription": MESSAGE,
    RULE + "/fullDescription/text": STRING,
    RULE + "/defaultConfiguration": OBJECT,
    RULE + "/defaultConfiguration/level": LEVEL,
    "/runs/0/columnKind": {"type": str, "enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    "/runs/0/results": ARRAY,
    RESULT: {"type": dict, "required": ["message"]},
    RESULT + "/ruleId": STRING,
    RESULT + "/ruleIndex": {"type": int, "minimum": -1},
    RESULT + "/level": LEVEL,
    RESULT + "/message": MESSAGE,
    RESULT + "/message/text": STRING,
    RESULT + "/locations": ARRAY,
    **{RESULT + "/locations/0" + path: rules for path, rules in LOCATION.items()
       if not path.startswith("/message")},
    RESULT + "/relatedLocations": {"type": list, "unique": True},
    **{RESULT + "/relatedLocations/0" + path: rules for path, rules in LOCATION.items()
       if not path.startswith("/logicalLocations")},
}
NO_URI = {"uri": ["", "no scheme", "http://a b", "1:"],
          "uri-reference": ["a b", "a%2", "a%zz", "a\\b", "<a>"]}


def find(node, steps):
    """The steps to the first node there, * being any element, or None."""
    if not steps:
        return []
    keys = range(len(node)) if steps[0] == "*" else [steps[0]]
    for key in keys:
        if isinstance(node, list):
            key = int(key)
        if key in node if isinstance(node, dict) else key < len(node):
            rest = find(node[key], steps[1:])
            if rest is not None:
                return [key] + rest
    return None


def changed(log, steps, change):
    """A copy of the log in which change(node) stands at the steps."""
    if not steps:
        return change(copy.deepcopy(log))
    out = copy.deepcopy(log)
    node = out
    for step in steps[:-1]:
        node = node[step]
    node[steps[-1]] = change(node[steps[-1]])
    return out


def without(name):
    return lambda node: {key: value for key, value in node.items() if key != name}


def damages(rules):
    """(kind, change) of all that these rules of the standard exclude."""
    for other in ("text", 1.5, 7, True, [], {}, None):
        if type(other) is not rules["type"]:
            yield "type", lambda node, other=other: other
    if rules["type"] is dict:
        yield "additionalProperties", lambda node: {**node, "surplus": 1}
    for name in rules.get("required", []):
        yield "required", without(name)
    if "enum" in rules:
        yield "enum", lambda node: "other"
    if "minimum" in rules:
        yield "minimum", lambda node: rules["minimum"] - 1
    if "unique" in rules:
        yield "uniqueItems", lambda node: node + node[:1]
    for text in NO_URI.get(rules.get("format"), []):
        yield "format", lambda node, text=text: text


schema, log = (json.loads(Path(name).read_text()) for name in sys.argv[1:3])
validator = jsonschema.Draft7Validator(schema)
assert validator.is_valid(log)
counts, accepted = {}, []
for path, rules in STANDARD.items():
    steps = find(log, path.split("/")[1:])
    assert steps is not None, f"nothing at {path}"
    for kind, change in damages(rules):
        counts[kind] = counts.get(kind, 0) + 1
        broken = changed(log, steps, change)
        if validator.is_valid(broken):
            accepted.append(f"{kind} at {path}")
print("\n".join(accepted))
print("rejected:", ", ".join(f"{count} of {kind}" for kind, count in sorted(counts.items())))
sys.exit(bool(accepted))
