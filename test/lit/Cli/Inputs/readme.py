"""The sample report in README.md, line by line, against what the tool prints
(its output on standard input)."""
import sys

lines = open(sys.argv[1]).read().split("\n")
start = next(i for i, line in enumerate(lines)
             if line.startswith("$ gpu-estimate analyze")) + 1
shown = lines[start:lines.index("```", start)]
printed = sys.stdin.read().rstrip("\n").split("\n")
if [line.rstrip() for line in shown] == [line.rstrip() for line in printed]:
    print("the sample is what is printed")
for a, b in zip(shown, printed):
    if a.rstrip() != b.rstrip():
        print("README:", a)
        print("tool:  ", b)
if len(shown) != len(printed):
    print(f"{len(shown)} lines in README, {len(printed)} printed")
