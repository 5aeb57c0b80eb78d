"""Finds CUDA sources, the include folders they need, and kernels in their text."""

import re
from pathlib import Path

# Folders beside a source or above it that projects keep shared headers in.
HEADER_FOLDERS = {"common", "inc", "include", "utilities", "util", "utils"}

COMMENT_OR_STRING = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.S)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]+)[>\"]", re.M)
# The name is the last identifier before the parameters; __launch_bounds__(...)
# and other attributes with parentheses may stand before it.
GLOBAL = re.compile(r"\b__global__\b")
ATTRIBUTE = re.compile(
    r"\s*(?:__launch_bounds__|__attribute__|__cluster_dims__)\s*\(")
NAME = re.compile(r"([A-Za-z_]\w*)\s*(?:<[^<>;{}()]*>)?\s*\(")


def split_at_dashes(argv):
    """Splits a command line at its first `--`."""
    if "--" not in argv:
        return argv, []
    at = argv.index("--")
    return argv[:at], argv[at + 1:]


def find(folder, match=""):
    return sorted(str(path) for path in Path(folder).rglob("*.cu")
                  if path.is_file() and match in str(path))


def include_folders(file, root):
    """Header folders beside the file or above it, up to root."""
    root = Path(root).resolve()
    here = Path(file).resolve().parent
    found = []
    while True:
        found += sorted(entry for entry in here.iterdir()
                        if entry.is_dir()
                        and entry.name.lower() in HEADER_FOLDERS)
        if here == root or here == here.parent:
            return list(dict.fromkeys(found))
        here = here.parent


def flags_for(file, root):
    """The file's own folder comes last: a cuda.h in it must not hide CUDA's."""
    return (["-ferror-limit=0"]
            + [f"-I{path}" for path in include_folders(file, root)]
            + [f"-idirafter{Path(file).resolve().parent}"])


def closing(text, at, opening, end):
    """Index behind the bracket that closes the one at text[at]."""
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] == opening) - (text[index] == end)
        if depth == 0:
            return index + 1
    return len(text)


def kernels_defined(text):
    """Names of the __global__ functions with a body in a source text."""
    text = COMMENT_OR_STRING.sub(" ", text)
    names = set()
    for match in GLOBAL.finditer(text):
        at = match.end()
        while True:
            attribute = ATTRIBUTE.search(text, at)
            following = NAME.search(text, at)
            if not attribute or not following or \
                    attribute.end() > following.end():
                break
            at = closing(text, attribute.end() - 1, "(", ")")
        if not following:
            continue
        after = text[closing(text, following.end() - 1, "(", ")"):].lstrip()
        if after.startswith("__launch_bounds__"):
            after = after[closing(after, after.index("("), "(", ")"):].lstrip()
        if after.startswith("{"):
            names.add(following[1])
    return names


def kernels_in_text(file, root):
    """Names in the file and in whatever it includes from the same folders."""
    folders = include_folders(file, root)
    names, seen, waiting = set(), set(), [Path(file).resolve()]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        text = path.read_text(encoding="utf-8", errors="replace")
        names |= kernels_defined(text)
        for included in INCLUDE.findall(text):
            for folder in [path.parent, *folders]:
                candidate = folder / included
                if candidate.is_file():
                    waiting.append(candidate.resolve())
                    break
    return names
