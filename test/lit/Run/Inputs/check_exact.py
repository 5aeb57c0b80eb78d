"""check_exact.py EXPECTED.txt PREDICTIONS.json: compares what irregular.cu has
counted with what entered the models."""
import json
import sys

expected, launch = {}, None
for line in open(sys.argv[1]):
    words = line.split()
    if words and words[0] == "LAUNCH":
        launch = expected.setdefault(words[1], [])
    elif words and words[0] == "EXACT":
        launch.append(words[1:])
predictions = {}
for p in json.load(open(sys.argv[2]))["estimates"]:
    predictions[p["name"]] = p


def values(p, words):
    if words[0] == "trips":
        return [a["value"] for a in p["assumptions"] if a["what"].startswith("trip count")]
    if words[0] == "share":
        return [a["value"] for a in p["assumptions"] if a["what"].startswith("share of threads")]
    # A loop that is unrolled has several accesses.
    accesses = [a for a in p["accesses"] if a["base"] == words[1]]
    requests = sum(a["requests"] for a in accesses)
    if words[0] == "requests":
        return [requests]
    return [sum(a["requests"] * a["sectors_per_request"] for a in accesses) / requests]


wrong = 0
for name, facts in expected.items():
    for words in facts:
        exact = float(words[-1])
        found = values(predictions[name], words)
        if any(abs(v - exact) <= 1e-6 * exact for v in found):
            print(name, *words[:-1], "is exact")
        else:
            wrong += 1
            print(f"{name}: {' '.join(words)}: the model has {found}")
times = {name: p["time_ms"] for name, p in predictions.items()}
if not times["histogramOfConstant"] > times["histogramOfSkewed"] > times["histogramOfUniform"]:
    wrong += 1
    print("atomics on few addresses cost no more than on many:", times)
print(len(expected), "launches,", wrong, "wrong")
