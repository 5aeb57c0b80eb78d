"""Settings of the lit tests: what a test file may write on its RUN lines.

%gpu-estimate       the command line tool
%analyze            the same with "analyze --no-cuda-sdk --ptxas off", so that a
                    result does not depend on what the machine has installed
%plugin             the plugin, for -fplugin=
%clang_c            clang-19
%clang              clang++-19
%clang_cuda         clang++-19 for CUDA with our headers and no SDK
%clang_cuda_device  the same, device side to LLVM IR on standard output
%clang_cuda_host    the same, host side, syntax only
%examples           the folder of examples
%hwmodels           the folder of GPU models
%microbench         the folder of microbenchmarks
%validation         the folder of measured datasets
%measure_dataset    scripts/measure-dataset, without ncu unless a test gives one
%scripts            the folder of scripts
%source             the source folder
%build              the build folder
%cuda_headers       the folder of our CUDA headers
%rocm_device_library  the folder of ROCm's device library, where it is installed
%chromium           the browser, where there is one
%complete_bash      what bash completes, from $BASHFILE: the words of a line
%check_json         checks a JSON report on standard input against the contract
"""

import ctypes.util
import importlib.util
import os
import shutil
import sys

import lit.formats

config.name = "gpu-estimate"
config.suffixes = [".cu", ".c", ".hip", ".ll", ".ptx", ".test"]
config.excludes = ["Inputs"]

sys.path.insert(0, os.path.join(config.source_root, "test", "lit"))
from only_marked import OnlyMarked  # of this folder

only = lit_config.params.get("only")
config.test_format = (OnlyMarked(only) if only in ("slow", "long")
                      else lit.formats.ShTest(execute_external=True))
config.test_source_root = os.path.join(config.source_root, "test", "lit")

tool = os.path.join(config.build_root, "bin", "gpu-estimate")
plugin = os.path.join(config.build_root, "lib", "GpuEstimate.so")
clang = os.path.join(config.llvm_tools, "clang++")
headers = os.path.join(config.source_root, "cuda-headers")
clang_cuda = (f"{clang} -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_80 "
              f"-I{headers} -include gpu_estimate_cuda.h")
checker = os.path.join(config.test_source_root, "Inputs", "check_schema.py")

# The longest names first: lit replaces in this order.
config.substitutions += [
    ("%clang_cuda_device", f"{clang_cuda} --cuda-device-only -O1 -S -emit-llvm -o -"),
    ("%clang_cuda_host", f"{clang_cuda} --cuda-host-only -fsyntax-only"),
    ("%clang_cuda", clang_cuda),
    ("%clang_c", os.path.join(config.llvm_tools, "clang")),
    ("%clang", clang),
    ("%gpu-estimate", tool),
    ("%analyze", f"{tool} analyze --no-cuda-sdk --ptxas off"),
    ("%plugin", plugin),
    ("%scripts", os.path.join(config.source_root, "scripts")),
    ("%source", config.source_root),
    ("%build", config.build_root),
    ("%examples", os.path.join(config.source_root, "examples")),
    ("%measure_dataset", "env PATH=/usr/bin:/bin "
     + os.path.join(config.source_root, "scripts", "measure-dataset")),
    ("%validation", os.path.join(config.source_root, "validation")),
    ("%microbench", os.path.join(config.source_root, "microbench")),
    ("%cuda_headers", headers),
    ("%hwmodels", os.path.join(config.source_root, "hwmodels")),
    ("%complete_bash", "bash "
     + os.path.join(config.test_source_root, "Cli", "Inputs", "complete.bash")
     + " $BASHFILE"),
    ("%check_json", f"python3 {checker}"),
]

# Precompiled headers are left to later runs of the tests, not to the user.
# Records are checked where a room hands them on (Support/Invariants.h).
# A test says itself whether it is a project's first (Wrapper/first-remark.test).
config.environment["GPU_ESTIMATE_CHECK"] = "1"
config.environment["GPU_ESTIMATE_HINTS"] = "off"
config.environment["XDG_CACHE_HOME"] = os.path.join(config.build_root, "test", "cache")
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools, config.environment["PATH"]])
# Tests that ask the assembler say "REQUIRES: ptxas".
if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")
# Tests that compile with NVIDIA's compiler say "REQUIRES: nvcc".
if shutil.which("nvcc", path=config.environment["PATH"]):
    config.available_features.add("nvcc")
# Tests that include Thrust say "REQUIRES: thrust"; %thrust is its folder.
for folder in ("/usr/local/cuda/include/cccl", "/usr/local/cuda/include", "/usr/include"):
    if os.path.exists(os.path.join(folder, "thrust", "sort.h")):
        config.available_features.add("thrust")
        config.substitutions.append(("%thrust", folder))
        break
# Tests that link ROCm's device library say "REQUIRES: rocm-device-library".
rocm_device_library = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"
if os.path.exists(os.path.join(rocm_device_library, "ocml.bc")):
    config.available_features.add("rocm-device-library")
    config.substitutions.append(("%rocm_device_library", rocm_device_library))
# Tests of transforms say "REQUIRES: fftw".
if ctypes.util.find_library("fftw3"):
    config.available_features.add("fftw")
# Tests of factorisations say "REQUIRES: lapack".
if ctypes.util.find_library("lapack"):
    config.available_features.add("lapack")
# Tests that configure a project with CMake say "UNSUPPORTED: no-cmake".
if not shutil.which("cmake", path=config.environment["PATH"]):
    config.available_features.add("no-cmake")
# Tests of what other shells and formatters make of our files say "REQUIRES: zsh".
for program in ("zsh", "fish", "mandoc", "groff", "distcc", "icecc", "dpkg-shlibdeps",
                "patchelf", "parallel", "ccache", "ninja"):
    if shutil.which(program, path=config.environment["PATH"]):
        config.available_features.add(program)
# Tests that look at a page in a browser say "REQUIRES: chromium".
chromium = shutil.which("chromium")
if chromium:
    config.available_features.add("chromium")
    config.substitutions.append(("%chromium", chromium))
# Tests that take more than four seconds say "REQUIRES: slow", or "REQUIRES: long"
# where `scripts/test --all` alone runs them. `lit -D only=quick` leaves both out,
# `lit -D only=slow` and `lit -D only=long` run no others; without, all run.
for mark in ("slow", "long"):
    if only in (None, mark):
        config.available_features.add(mark)
# Tests that load the plugin say "REQUIRES: plugin".
if os.path.exists(plugin):
    config.available_features.add("plugin")
# Tests that check a JSON schema say "REQUIRES: jsonschema".
if importlib.util.find_spec("jsonschema"):
    config.available_features.add("jsonschema")
