#!/usr/bin/env python3
"""Checks a model against the samples that its values come from, both as
`gpu-estimate gpus` prints them: a value of MODEL whose source names SAMPLES is
within 1% of what FITTED has, and is not inherited there.

    from-samples.py MODEL FITTED SAMPLES AT_LEAST
"""

import sys

from synthesize import read_model


def main():
    model_file, fitted_file, samples, at_least = sys.argv[1:]
    with open(model_file, encoding="utf-8") as file:
        lines = file.readlines()
    with open(fitted_file, encoding="utf-8") as file:
        fitted_lines = file.readlines()
    model, fitted = read_model(lines), read_model(fitted_lines)
    inherited = {line.split()[0] for line in fitted_lines
                 if " inherited " in line}
    measured = [line.split()[0] for line in lines
                if samples in line and ".pipe " not in line]
    wrong = 0
    for key in measured:
        if key in inherited:
            print(f"{key}: not in the samples")
            wrong += 1
        elif abs(model[key] - fitted[key]) > 0.01 * abs(fitted[key]):
            print(f"{key}: {model[key]:.5g}, the samples give {fitted[key]:.5g}")
            wrong += 1
    if len(measured) < int(at_least):
        sys.exit(f"only {len(measured)} values name {samples}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
