"""same.py ANSWERS COMMAND: the first answer is what `COMMAND analyze` says of
the same source."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
answer = json.loads(Path(sys.argv[1]).read_text().splitlines()[0])
source = Path(__file__).with_name("client.py").read_text().split('"""')[3]
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder, "saxpy.cu")
    file.write_text(source)
    done = subprocess.run(
        sys.argv[2:] + ["analyze", file, "--no-cuda-sdk", "--ptxas", "off", "--gpu",
                        "nvidia-v100", "--grid", "4096", "--block", "256",
                        "--param", "n=1048576", "--format", "json"],
        stdout=subprocess.PIPE, check=True)
expected = json.loads(done.stdout)["estimates"][0]
found = answer["result"]["estimates"][0]
for key in ("time_ms", "bottleneck"):
    assert found[key] == expected[key], (key, found[key], expected[key])
for key in ("low_ms", "high_ms"):
    assert found["interval"][key] == expected["interval"][key], key
