#!/usr/bin/env python3
"""The JSON schema of the configuration and its reader agree.

    check_schema.py GPU-ESTIMATE SCHEMA SOURCE

Every configuration below is given to both. JSON is YAML, so that one text
serves them.
"""

import json
import os
import subprocess
import sys
import tempfile

import jsonschema

ACCEPTED = [
    {},
    {"gpu": "nvidia-h200"},
    {"gpu": ["nvidia-h200", "sm_80"], "caches": "cold", "ptxas": "off"},
    {"param": {"n": 4096}, "assume": {"l1": 0.5, "access@k:x[i]": "random"}},
    {"param": ["n=1 << 10"], "set": {"core_clock": "1410MHz"}},
    {"assume-independent": False, "against": "cpu", "offload": ["f:i"]},
    {"error": "budget", "no-warning": ["time", "all"], "timing": "graph"},
    {"budget": {"vector.*": "1 s@nvidia-h200"}},
    {"kernels": []},
    {"kernels": [{"kernel": "vectorAdd", "file": "*.cu", "grid": 4,
                  "block": [16, 16], "dynamic-smem": 0, "registers": 64,
                  "param": {"n": "1 << 20"}, "caches": "warm",
                  "budget": {"nvidia-h200": "1.5 ms"}},
                 {"budget": "2s", "no-warning": "occupancy"}]},
]

REFUSED = [
    [],
    {"gqu": "nvidia-h200"},
    {"gpu": {"a": {"b": 1}}},
    {"caches": "hot"},
    {"caches": ["cold", "warm"]},
    {"grid": 4},
    {"launch": [{"kernel": "k", "grid": 4}]},
    {"no-warning": "tiem"},
    {"assume-independent": "perhaps"},
    {"kernels": 3},
    {"kernels": [3]},
    {"kernels": [{"gird": 4}]},
    {"kernels": [{"grid": 0}]},
    {"kernels": [{"grid": [1, 2, 3, 4]}]},
    {"kernels": [{"gpu": "nvidia-h200"}]},
    {"kernels": [{"registers": "many"}]},
]


def reads(tool, config, source):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "c.yaml")
        with open(path, "w") as file:
            json.dump(config, file)
        run = subprocess.run(
            [tool, "analyze", "--no-cuda-sdk", "--ptxas", "off", "--config",
             path, "--gpu", "nvidia-h200", "-o", os.devnull, source],
            capture_output=True, text=True)
    if run.returncode == 2 and path not in run.stderr:
        sys.exit(f"{config}: an error without a place: {run.stderr}")
    return run.returncode != 2


def main():
    tool, schema_file, source = sys.argv[1:]
    with open(schema_file) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    status = 0
    for config, wanted in ([(c, True) for c in ACCEPTED]
                           + [(c, False) for c in REFUSED]):
        for who, answer in (("schema", validator.is_valid(config)),
                            ("reader", reads(tool, config, source))):
            if answer != wanted:
                print(f"the {who} {'accepts' if answer else 'refuses'} {config}")
                status = 1
    print(f"{len(ACCEPTED)} accepted, {len(REFUSED)} refused")
    return status


sys.exit(main())
