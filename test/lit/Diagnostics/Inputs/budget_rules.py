"""budget_rules.py REPORT COMMAND...: budgets in and outside the interval of the
kernel `known`, and which rule fails the run."""
import json
import subprocess
import sys

with open(sys.argv[1], encoding="utf-8") as report:
    known = next(e for e in json.load(report)["estimates"]
                 if e["name"].startswith("known"))
time, interval = known["time_ms"], known["interval"]
middle = (time + interval["high_ms"]) / 2
cases = [  # budget, verdict, rules by which the launch is over it
    (interval["low_ms"] / 2, "over", {"likely", "sure", "possible"}),
    ((interval["low_ms"] + time) / 2, "cannot tell", {"likely", "possible"}),
    (middle, "cannot tell", {"possible"}),
    (interval["high_ms"] * 2, "within", set()),
]
for budget, verdict, over in cases:
    for rule in "likely", "sure", "possible":
        run = subprocess.run(
            sys.argv[2:] + ["--budget", f"{budget}ms", "--budget-when", rule],
            check=False, capture_output=True, text=True)
        assert run.returncode == (rule in over), (budget, rule, run)
        check = json.loads(run.stdout)["budgets"][0]
        assert check["verdict"] == verdict, check
        assert check["exceeded"] == (rule in over), check
        # A launch that may be over its budget is not said to be over it.
        said = "over its budget" in run.stderr
        assert said == (rule in over), run.stderr
        if said:
            percent = run.stderr.split("% over its budget")[0].split()[-1]
            assert float(percent) > 0, run.stderr

# Without an interval nothing is sure.
for rule, status in ("likely", 0), ("sure", 0), ("possible", 1):
    run = subprocess.run(
        sys.argv[2:] + ["--model", "roofline", "--budget", "1s",
                        "--budget-when", rule],
        check=False, capture_output=True, text=True)
    assert run.returncode == status, (rule, run)
    assert json.loads(run.stdout)["budgets"][0]["verdict"] == "cannot tell"
