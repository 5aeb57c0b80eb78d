"""Adds up what --print-work says on standard input; fails above argv[1] units.

The limit of a test is about 1.4 times what the analysis takes when it is written.
"""
import re
import sys

limit = int(sys.argv[1])
total = sum(int(units) for units in re.findall(r"work: (\d+) units", sys.stdin.read()))
print(f"{total} units of work, which is {'within' if 0 < total <= limit else 'not within'} {limit}")
sys.exit(not 0 < total <= limit)
