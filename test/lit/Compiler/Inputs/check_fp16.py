"""Compares the packed instructions of each kernel with what its macro says.

    check_fp16.py SCHEDULE SOURCE
"""

import re
import sys
from pathlib import Path

schedule, source = (Path(name).read_text() for name in sys.argv[1:])
expected = {name: int(count) for count, name in
            re.findall(r"^NVCC\((\d+)\) (\w+)\(", source, re.MULTILINE)}
found = {}
for line in schedule.splitlines():
    if heading := re.match(r"kernel (\w+) at ", line):
        kernel = heading[1]
        found[kernel] = 0
    elif operation := re.search(r": fp16_\w+(?: x(\d+))?", line):
        found[kernel] += int(operation[1] or 1)
wrong = [f"{name}: {found.get(name)} instructions, nvcc has {count}"
         for name, count in expected.items() if found.get(name) != count]
sys.exit("\n".join(wrong) if wrong or not expected else 0)
