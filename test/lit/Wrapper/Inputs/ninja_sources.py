"""ninja_sources.py COUNT SOURCE COMPILER...: copies of a source that differ, and
the call of the compiler for ninja_build.py."""
import json
import sys

count, source, compiler = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
with open(source, encoding="utf-8") as file:
    text = file.read()
for number in range(count):
    with open(f"s{number}.c", "w", encoding="utf-8") as out:
        out.write(text.replace("add", f"add{number}"))
with open("sources.json", "w", encoding="utf-8") as out:
    json.dump([count, compiler], out)
