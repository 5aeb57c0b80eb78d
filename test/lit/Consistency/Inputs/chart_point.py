"""chart_point.py SVG NAME VALUE ANALYSIS: the point of the chart where NAME is
VALUE, against the time and the bound of the analysis. A chart shows three
digits."""
import json
import re
import sys
from pathlib import Path

svg, name, value, analysis = sys.argv[1:]
(estimate,) = json.loads(Path(analysis).read_text())["estimates"]
time, unit, bound = re.search(
    rf"<title>{name} = {value}: ([\d.]+) (us|ms), bound by ([^<]+)<",
    Path(svg).read_text()).groups()
shown = float(time) * {"us": 1e-3, "ms": 1}[unit]
assert abs(shown / estimate["time_ms"] - 1) < 0.005, (shown, estimate["time_ms"])
assert bound == estimate["bottleneck"], (bound, estimate["bottleneck"])
print("the chart and the analysis agree")
