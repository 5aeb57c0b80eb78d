"""Versions of symbols that an ELF file of 64 bits, little endian, asks of its
libraries (section .gnu.version_r; System V ABI, "Symbol Versioning")."""
import struct
from pathlib import Path

DT_STRTAB, DT_VERNEED, DT_VERNEEDNUM, PT_LOAD, PT_DYNAMIC = 5, 0x6FFFFFFE, 0x6FFFFFFF, 1, 2


class VersionNeeds:
    """The entries of one file: (library, version, index, place of the flags)."""

    def __init__(self, path):
        self.path = Path(path)
        self.data = bytearray(self.path.read_bytes())
        self.entries = []
        if self.data[:6] != b"\x7fELF\x02\x01":
            return
        begin, size, count = (*struct.unpack_from("<Q", self.data, 32),
                              *struct.unpack_from("<HH", self.data, 54))
        segments = [struct.unpack_from("<IIQQQQQQ", self.data, begin + i * size)
                    for i in range(count)]

        def place(address):
            for kind, _, offset, start, _, length, _, _ in segments:
                if kind == PT_LOAD and start <= address < start + length:
                    return address - start + offset
            raise ValueError(f"{path}: no segment holds address {address:#x}")

        tags = {}
        for kind, _, offset, _, _, length, _, _ in segments:
            if kind == PT_DYNAMIC:
                tags = dict(struct.unpack_from("<QQ", self.data, at)
                            for at in range(offset, offset + length, 16))
        if DT_VERNEED not in tags:
            return
        names, at = place(tags[DT_STRTAB]), place(tags[DT_VERNEED])

        def text(offset):
            return self.data[names + offset:
                             self.data.index(0, names + offset)].decode()

        for _ in range(tags[DT_VERNEEDNUM]):
            _, versions, library, first, after = struct.unpack_from(
                "<HHIII", self.data, at)
            part = at + first
            for _ in range(versions):
                _, _, index, name, step = struct.unpack_from("<IHHII", self.data, part)
                self.entries.append((text(library), text(name), index, part + 4))
                part += step
            at += after

    def replace(self, version):
        """Asks for the oldest version of the same library in place of this one.
        A symbol of the version is then found only in a library that gives its
        symbols no versions."""
        for library, name, _, at in self.entries:
            if name != version:
                continue
            oldest = min((entry for entry in self.entries if entry[0] == library),
                         key=lambda entry: number(entry[1]))
            for field in (-4, 4):  # hash and name, around the flags
                self.data[at + field:at + field + 4] = \
                    self.data[oldest[3] + field:oldest[3] + field + 4]
        self.path.write_bytes(self.data)


def number(version):
    """(2, 36) of GLIBC_2.36."""
    _, _, digits = version.partition("_")
    return tuple(int(part) for part in digits.split(".") if part.isdigit())


def newest_glibc(path):
    """The newest version of glibc that the file asks for."""
    return max((number(name) for _, name, _, _ in VersionNeeds(path).entries
                if name.startswith("GLIBC_2.")), default=(2, 0))
