#!/usr/bin/env python3
"""Checks the machine code of an operation microbenchmark (sm_75): the loop of
each kernel holds the measured instruction 64 times (128 where a step has two),
and besides it only what counts the rounds.

    loops.py CUBIN

An instruction has 16 bytes; its low nine bits tell the operation. The numbers
below were read off the code that ptxas makes of one PTX instruction each.
"""

import collections
import re
import struct
import sys

BRANCH = 0x147
NAMES = {0x21: "FADD", 0x20: "FMUL", 0x23: "FFMA", 0x29: "DADD", 0x28: "DMUL",
         0x2b: "DFMA", 0x30: "HADD2", 0x32: "HMUL2", 0x31: "HFMA2",
         0x10: "IADD3", 0x24: "IMAD", 0x19: "SHF", 0x12: "LOP3", 0x07: "SEL",
         0x0c: "ISETP", 0x17: "IMNMX", 0x16: "PRMT", 0x109: "POPC",
         0x101: "BREV", 0x105: "F2I", 0x106: "I2F", 0x110: "F2F.64",
         0x104: "F2F", 0x108: "MUFU", 0x189: "SHFL", 0x06: "VOTE",
         0x192: "MEMBAR"}
EXPECTED = {
    "fp32_add": ["FADD"], "fp32_mul": ["FMUL"], "fp32_fma": ["FFMA"],
    "fp64_add": ["DADD"], "fp64_mul": ["DMUL"], "fp64_fma": ["DFMA"],
    "fp16_add": ["HADD2"], "fp16_mul": ["HMUL2"], "fp16_fma": ["HFMA2"],
    "int_add": ["IADD3", "IADD3"], "int_mul": ["IMAD"], "shift": ["SHF"],
    "logic": ["LOP3"],
    "select": ["SEL"], "compare_select": ["ISETP", "SEL"],
    "min_max": ["IMNMX", "IMNMX"], "bit_field": ["PRMT"], "popc": ["POPC"],
    "clz": ["BREV"], "convert32": ["F2I"], "convert_int32": ["I2F"],
    "convert64": ["F2F.64"], "convert16": ["F2F"], "sfu": ["MUFU"],
    "shuffle": ["SHFL"], "compare_vote": ["ISETP", "VOTE"],
    "fence": ["MEMBAR"]}
STEPS, OVERHEAD = 64, 8


def kernels(data):
    """(name, code) of each kernel, from the ELF file's sections."""
    offset, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + 64 * i)
                for i in range(count)]
    strings = sections[names][4]
    for section in sections:
        start = strings + section[0]
        name = data[start:data.index(b"\0", start)].decode()
        if name.startswith(".text."):
            yield name[6:], data[section[4]:section[4] + section[5]]


def inner_loop(code):
    """Operations of the shortest loop that has room for the steps."""
    words = [struct.unpack_from("<QQ", code, at)
             for at in range(0, len(code), 16)]
    best = None
    for at, (low, high) in enumerate(words):
        if low & 0x1ff != BRANCH:
            continue
        distance = (low >> 34) | (high & 0x3ffff) << 30  # in words of 4 bytes
        if distance >> 47:
            distance -= 1 << 48
        target = at + 1 + distance // 4
        if target < 0 or at - target < STEPS:
            continue
        if best is None or at - target < len(best):
            best = [w[0] & 0x1ff for w in words[target:at + 1]]
    return collections.Counter(NAMES.get(op, hex(op)) for op in best or [])


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    seen, wrong = set(), []
    for name, code in kernels(data):
        match = re.search(r"bench\d+([a-z][a-z0-9_]*?)E", name)
        if not match:
            continue
        operation = match[1]
        seen.add(operation)
        loop = inner_loop(code)
        if operation == "fence":  # with what belongs to it
            expected = {"MEMBAR": STEPS, "ERRBAR": STEPS}
            loop["ERRBAR"] = loop.pop(hex(0x1ab), 0)
            loop.pop(hex(0x18f), None)  # CCTL: drops lines of L1
        else:
            expected = collections.Counter()
            for instruction in EXPECTED[operation]:
                expected[instruction] += STEPS
        rest = sum(loop.values()) - sum(expected.values())
        if (any(loop[i] < n for i, n in expected.items()) or
                not 0 <= rest <= OVERHEAD):
            wrong.append(f"{operation}: {dict(loop)}")
    print("\n".join(wrong))
    missing = EXPECTED.keys() - seen
    print(f"{len(seen)} loops, {len(wrong)} wrong, missing: {sorted(missing)}")
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main())
