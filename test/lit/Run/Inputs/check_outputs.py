#!/usr/bin/env python3
"""The JSON of a run keeps to its schema, and its trace is well-formed.

    check_outputs.py SCHEMA RUN.json TRACE.json

Every arrow of the trace begins at a call and ends at work that begins no earlier.
"""

import json
import sys

import jsonschema


def main():
    schema, run, trace = (json.load(open(path, encoding="utf-8"))
                          for path in sys.argv[1:])
    jsonschema.validate(run, schema)
    totals = run["totals"]
    parts = sum(piece["time_ms"] for piece in run["critical_path"])
    assert abs(parts - totals["wall_ms"]) < 1e-6, (parts, totals)

    pieces, begins, ends = {}, {}, {}
    for event in trace["traceEvents"]:
        if event["ph"] == "X":
            assert event["dur"] >= 0, event
            key = (event["pid"], event["tid"], event["ts"])
            pieces.setdefault(key, []).append(event["cat"])
        elif event["ph"] in "sf":
            side = begins if event["ph"] == "s" else ends
            side.setdefault(event["id"], []).append(event)
    assert begins and begins.keys() == ends.keys()
    for name, arrows in ends.items():
        for begin, end in zip(begins[name], arrows):
            assert begin["ts"] <= end["ts"], (begin, end)
            for arrow in (begin, end):
                key = (arrow["pid"], arrow["tid"], arrow["ts"])
                assert key in pieces, arrow
    categories = sorted({cat for found in pieces.values() for cat in found})
    print("launches:", len(run["launches"]), "categories:", *categories)


main()
