"""Writes row pointers and column indices of a sparse matrix as .npy files.

usage: make_rows.py FOLDER ROWS SHORT LONG

Rows of SHORT elements; every fourth group of 32 rows has LONG ones, so that
three of four warps are short. Columns follow each other from the row's number.
"""

import struct
import sys
from pathlib import Path


def npy(kind, numbers):
    header = f"{{'descr': '{kind}', 'fortran_order': False, " \
             f"'shape': ({len(numbers)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    code = {"<i4": "i", "<i8": "q", "<f4": "f"}[kind]
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
            + header.encode() + struct.pack(f"<{len(numbers)}{code}", *numbers))


def main():
    folder, (rows, short, long) = Path(sys.argv[1]), map(int, sys.argv[2:])
    folder.mkdir(parents=True, exist_ok=True)
    starts, columns = [0], []
    for row in range(rows):
        length = long if row // 32 % 4 == 3 else short
        columns += [(row + i) % rows for i in range(length)]
        starts.append(len(columns))
    (folder / "rows.npy").write_bytes(npy("<i4", starts))
    (folder / "columns.npy").write_bytes(npy("<i4", columns))
    (folder / "wide.npy").write_bytes(npy("<i8", starts))


if __name__ == "__main__":
    main()
