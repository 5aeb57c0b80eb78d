#!/usr/bin/env python3
"""Wrong model files, from a good one: bad-models.py GOOD FOLDER"""
import re
import sys
from pathlib import Path

good, folder = Path(sys.argv[1]).read_text(), Path(sys.argv[2])


def changed(key, value):
    text, count = re.subn(rf"^{key}: {{value: [^,]*,", f"{key}: {{value: {value},",
                          good, flags=re.M)
    assert count == 1, key
    return text


def write(name, text):
    path = folder / f"{name}.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


write("missing-key", re.sub(r"^sm_count:.*\n", "", good, flags=re.M))
write("wrong-unit", changed("core_clock", "1380 MB"))
write("negative", changed("sm_count", "-80"))
write("nan", changed("core_clock", "nan MHz"))
write("infinite", changed("core_clock", "inf MHz"))
write("too-large", changed("sm_count", "1e30"))
write("duplicate-key", re.sub(r"^(sm_count:.*\n)", r"\1\1", good, flags=re.M))
write("truncated", good[:len(good) // 2])
write("empty", "")
write("not-yaml", "int main() { return 0; }\n: }] &\n")
write("binary", b"\x7fELF\xff\xfe\x80\x00" * 100)
write("zeros", bytes(1000000))
write("huge", bytes(100000000))
write("huge-valid", good + "# more\n" * (100000000 // 7))
write("alias-bomb", "a: &a [x, x]\n" + "".join(
    f"b{i}: &b{i} [*a, *a]\n" for i in range(500)))
write("deep", "id: " + "[" * 100000)
write("questions", "id: a\n" + "?\n" * 5000)
write("unknown-keys", "".join(f"k{i}: 1\n" for i in range(9000)))
(folder / "folder.yaml").mkdir()
