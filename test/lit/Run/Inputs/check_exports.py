"""check_exports.py NM LIBRARY HEADERS: every function of CUDA's runtime and
driver and of cuBLAS that the headers declare is a symbol of the library."""

import re
import subprocess
import sys
from pathlib import Path

nm, library, headers = sys.argv[1:]
listing = subprocess.run([nm, "-D", "--defined-only", library], check=True,
                         capture_output=True, text=True).stdout
exported = {line.split()[-1] for line in listing.splitlines()}
declared = set()
for name in ("runtime_api.h", "runtime_graph_api.h", "driver_api.h", "blas_host.h"):
    text = (Path(headers) / "gpu_estimate" / name).read_text()
    text = re.sub(r"//.*|/\*.*?\*/", "", text)
    declared |= set(re.findall(
        r"\b(__cuda[A-Z]\w*|cuda[A-Z]\w*|cu[A-Z]\w*|cublas[A-Z]\w*)\s*\(", text))
missing = sorted(declared - exported)
if len(declared) < 300 or missing:
    sys.exit(f"{len(declared)} are declared, not exported: {' '.join(missing)}")
