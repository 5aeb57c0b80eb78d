"""The notice of what an archive brings along: names, versions and licences of the
Debian packages whose files it contains, or whose headers are compiled into its
programs. Debian keeps the licence of PACKAGE in /usr/share/doc/PACKAGE/copyright,
and texts that many packages share in /usr/share/common-licenses."""
import re
import subprocess
from pathlib import Path

DOCUMENTS = Path("/usr/share/doc")
COMMON = Path("/usr/share/common-licenses")
# The parts of a build whose objects become part of the product, with their
# precompiled headers.
PRODUCT = re.compile(r"^(lib|clang-plugin|tools/gpu-estimate[\w-]*)/|"
                     r"^CMakeFiles/gpu-estimate-pch-(?!tests)")


def packages_of(files):
    """Names of the packages that own the files. A file that belongs to none ends
    the program, since nobody could say what its licence is."""
    spellings = {}
    for file in files:
        for path in {str(file), str(Path(file).resolve())}:
            # Debian 12 records libraries below /lib, which is a link.
            for name in {path, path.removeprefix("/usr"), "/usr" + path}:
                spellings.setdefault(name, str(file))
    owners, names = {}, sorted(spellings)
    for begin in range(0, len(names), 1000):
        found = subprocess.run(["dpkg", "-S", *names[begin:begin + 1000]],
                               text=True, capture_output=True).stdout
        for line in found.splitlines():
            packages, _, path = line.rpartition(": ")
            if path in spellings and not line.startswith("diversion "):
                owners[spellings[path]] = packages.split(", ")[0].split(":")[0]
    lost = sorted({str(file) for file in files} - owners.keys())
    if lost:
        raise SystemExit(f"{lost[0]}: no package owns this file")
    return sorted(set(owners.values()))


def packages_compiled_in(build):
    """Packages of the headers that the objects of the product include, from the
    dependencies that Ninja has recorded."""
    found = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], text=True,
                           capture_output=True, check=True).stdout
    headers, counts = set(), False
    for line in found.splitlines():
        if not line.startswith(" "):
            counts = bool(PRODUCT.search(line.split(":")[0]))
        elif counts and line.strip().startswith("/usr/"):
            headers.add(Path(line.strip()))
    if not headers:
        raise SystemExit(f"{build}: Ninja knows of no headers; build it first")
    return packages_of({header for header in headers if header.exists()})


def _version(package):
    return subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], text=True,
                          capture_output=True, check=True).stdout.strip()


def notice_text(shipped, compiled_in):
    """The whole notice. A licence that several packages share stands there once."""
    packages = sorted({*shipped, *compiled_in})
    texts = {}
    for package in packages:
        text = (DOCUMENTS / package / "copyright").read_text("utf-8", "replace")
        texts.setdefault(text.strip(), []).append(package)
    lines = ["gpu-estimate is under the licence in LICENSE. This archive also contains",
             "parts of the following Debian packages, or was compiled with their headers.",
             "Their licences follow in the order of this list.", ""]
    for package in packages:
        use = "files" if package in shipped else "headers"
        lines.append(f"  {package} {_version(package)} ({use})")
    for text, users in texts.items():
        lines += ["", "=" * 78, ", ".join(users), "=" * 78, "", text]
    whole = "\n".join(lines)
    shared = sorted(set(re.findall(r"/usr/share/common-licenses/([\w.+-]*\w)", whole)))
    for name in shared:
        if (COMMON / name).exists():
            whole += f"\n\n{'=' * 78}\n{COMMON / name}\n{'=' * 78}\n\n"
            whole += (COMMON / name).read_text("utf-8", "replace").strip()
    return whole + "\n"
