"""ninja_build.py NAME LAUNCHER... [-- FLAG...]: NAME.ninja, which compiles the
sources of ninja_sources.py into the folder NAME."""
import json
import sys

name, words = sys.argv[1], sys.argv[2:]
flags = []
if "--" in words:
    words, flags = words[:words.index("--")], words[words.index("--") + 1:]
with open("sources.json", encoding="utf-8") as file:
    count, compiler = json.load(file)
with open(f"{name}.ninja", "w", encoding="utf-8") as out:
    out.write(f"builddir = log-{name}\nrule cc\n  command = "
              f"{' '.join(words + compiler + flags)} -c $in -o $out\n")
    for number in range(count):
        out.write(f"build {name}/s{number}.o: cc s{number}.c\n")
