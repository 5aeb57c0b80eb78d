"""The build backend of the package for Python (PEP 517, PEP 660).

A wheel has the package, and the tree of scripts/package in its data: installed,
that is PREFIX/bin/gpu-estimate, PREFIX/libexec, PREFIX/lib/gpu-estimate and
PREFIX/share/gpu-estimate of the virtual environment. The tree finds its parts
from where it lies, so that the command starts without Python.

The product is that of the folder of the environment variable BUILD, else of
build/; where there is none, it is built by `cmake --workflow --preset release`.
"""

import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "gpu_estimate"
# Of packaging/old_glibc.c and OLDEST_GLIBC in scripts/package.
PLATFORM = "manylinux_2_35_x86_64"
TAG = f"py3-none-{PLATFORM}"
# What others ship, or only builds of this project need.
LEFT_OUT = ("share/gpu-estimate/python", "share/doc/gpu-estimate/images")


def _version():
    text = (ROOT / "CMakeLists.txt").read_text()
    found = re.search(r"project\(\w+[^)]*?VERSION\s+([\d.]+)", text, re.DOTALL)
    assert found, "CMakeLists.txt has no version"
    return found.group(1)


def _metadata():
    project = (ROOT / "pyproject.toml").read_text()

    def text(key):
        return re.search(rf'^{key} = "(.*)"$', project, re.MULTILINE).group(1)

    lines = ["Metadata-Version: 2.4", "Name: gpu-estimate",
             f"Version: {_version()}", f"Summary: {text('description')}",
             f"License-Expression: {text('license')}", "License-File: LICENSE",
             f"Requires-Python: {text('requires-python')}"]
    extras = project[project.index("[project.optional-dependencies]"):]
    for extra, words in re.findall(r"^(\w+) = \[(.*)\]$", extras, re.MULTILINE):
        lines.append(f"Provides-Extra: {extra}")
        for requirement in re.findall(r'"([^"]+)"', words):
            lines.append(f"Requires-Dist: {requirement}; extra == '{extra}'")
    lines += ["Description-Content-Type: text/markdown", "",
              (ROOT / "README.md").read_text()]
    return "\n".join(lines)


def _build_folder():
    folder = Path(os.environ.get("BUILD", ROOT / "build"))
    if not (folder / "bin" / "gpu-estimate").exists():
        subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True)
        subprocess.run(["cmake", "--build", "--preset", "release"], cwd=ROOT,
                       check=True)
    return folder


def _packager():
    """scripts/package as a module."""
    file = str(ROOT / "scripts" / "package")
    loader = importlib.machinery.SourceFileLoader("package_script", file)
    spec = importlib.util.spec_from_loader("package_script", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def _info_files(tag):
    return {"METADATA": _metadata(),
            "WHEEL": "Wheel-Version: 1.0\nGenerator: gpu-estimate\n"
                     f"Root-Is-Purelib: false\nTag: {tag}\n",
            "top_level.txt": NAME + "\n"}


def _write(folder, tag, add):
    """A wheel of what `add` puts into it."""
    from wheel.wheelfile import WheelFile
    file = f"{NAME}-{_version()}-{tag}.whl"
    with WheelFile(Path(folder) / file, "w") as wheel:
        add(wheel)
        wheel.write(str(ROOT / "LICENSE"),
                    f"{NAME}-{_version()}.dist-info/licenses/LICENSE")
        for name, text in _info_files(tag).items():
            wheel.writestr(f"{NAME}-{_version()}.dist-info/{name}", text)
    return file


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(folder, config_settings=None, metadata_folder=None):
    def add(wheel):
        for file in sorted((ROOT / "python" / NAME).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                wheel.write(str(file), str(file.relative_to(ROOT / "python")))
        with tempfile.TemporaryDirectory() as place:
            tree = Path(place) / "tree"
            _packager().stage(_build_folder(), tree)
            for left_out in LEFT_OUT:
                shutil.rmtree(tree / left_out, ignore_errors=True)
            for file in sorted(tree.rglob("*")):
                if file.is_file():
                    wheel.write(str(file), f"{NAME}-{_version()}.data/data/"
                                           f"{file.relative_to(tree)}")

    return _write(folder, TAG, add)


def build_editable(folder, config_settings=None, metadata_folder=None):
    """The package as it lies in the sources, with the command of build/."""
    def add(wheel):
        wheel.writestr(f"{NAME}_sources.pth", str(ROOT / "python") + "\n")

    return _write(folder, "py3-none-any", add)


def build_sdist(folder, config_settings=None):
    base = f"{NAME}-{_version()}"
    target = Path(folder) / f"{base}.tar.gz"
    subprocess.run(["git", "archive", "--format=tar.gz", f"--prefix={base}/",
                    "-o", str(target), "HEAD"], cwd=ROOT, check=True)
    return target.name
