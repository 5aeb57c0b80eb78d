/// \file
/// Looks for what gpu-estimate uses, in the places where its commands look.
#include "Doctor.h"

#include "gpu-estimate/Frontend/DeviceImage.h"
#include "gpu-estimate/Frontend/Sdk.h"
#include "gpu-estimate/Lowering/Registers/AmdgpuBackEnd.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Session/Pipeline/PythonInterpreter.h"
#include "gpu-estimate/Support/Installation.h"
#include "gpu-estimate/Support/TimedProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/ThreadPool.h"
#include <dlfcn.h>
#include <link.h>

using namespace llvm;

namespace gpuestimate {

static ComponentFinding found(std::string Path, std::string Version = "",
                              std::string Note = "") {
  return {ComponentFinding::Found, std::move(Version), std::move(Path),
          std::move(Note)};
}
static ComponentFinding missing(std::string Problem) {
  return {ComponentFinding::Missing, "", "", std::move(Problem)};
}

/// A folder or file that an error describes where there is none.
static ComponentFinding atPath(Expected<std::string> Path) {
  return Path ? found(*Path) : missing(toString(Path.takeError()));
}

/// What a program prints within 20 seconds; the error is about a program that
/// does not start, does not end, or fails.
static Expected<std::string> outputOf(std::vector<std::string> Words) {
  auto Process = TimedProcess::start(Words, "", std::chrono::seconds(20));
  if (!Process)
    return Process.takeError();
  TimedProcess::Ending End = Process->wait();
  if (!End.InTime)
    return createStringError(Words.front() + " has not ended in 20 seconds");
  if (End.Status == 0)
    return End.Output;
  StringRef Output = StringRef(End.Output).trim();
  size_t Message = Output.find("error: ");
  if (Message != StringRef::npos)
    Output = Output.substr(Message + 7);
  return createStringError(Words.front() + ": " +
                           (Output.empty()
                                ? "exit status " + std::to_string(End.Status)
                                : Output.split('\n').first.str()));
}

/// The first match of the group in Expression; "" where there is none.
static std::string firstMatch(StringRef Text, StringRef Expression) {
  SmallVector<StringRef, 2> Groups;
  return Regex(Expression).match(Text, &Groups) ? Groups[1].str() : "";
}

/// A program that prints its version, found under one of the names.
static ComponentFinding program(ArrayRef<std::string> Names,
                                StringRef Version) {
  for (const std::string &Name : Names) {
    ErrorOr<std::string> Path = sys::findProgramByName(Name);
    if (!Path || !sys::fs::can_execute(*Path)) // a path is not looked at before
      continue;
    Expected<std::string> Output = outputOf({*Path, "--version"});
    if (!Output)
      return {ComponentFinding::Broken, "", *Path,
              toString(Output.takeError())};
    return found(*Path, firstMatch(*Output, Version));
  }
  bool IsPath = StringRef(Names.front()).contains('/');
  return missing("there is no " + Names.front() + (IsPath ? "" : " on PATH"));
}

static ComponentFinding gpuModels(StringRef Override) {
  Expected<std::string> Folder = findModelFolder(Override);
  if (!Folder)
    return missing(toString(Folder.takeError()));
  Expected<std::vector<GpuModel>> Models = loadGpuModels(*Folder);
  if (!Models)
    return {ComponentFinding::Broken, "", *Folder,
            toString(Models.takeError())};
  if (Models->empty())
    return {ComponentFinding::Broken, "", *Folder, "the folder has no model"};
  return found(*Folder, std::to_string(Models->size()) + " models");
}

static ComponentFinding ownHeaders(StringRef) {
  ComponentFinding F = atPath(findDataFolder("cuda-headers"));
  if (F.State == ComponentFinding::Found &&
      !sys::fs::exists(F.Path + "/gpu_estimate_cuda.h"))
    return {ComponentFinding::Broken, "", F.Path,
            "gpu_estimate_cuda.h is not there"};
  return F;
}

static ComponentFinding clangHeaders(StringRef) {
  std::string Folder = findResourceDir();
  return Folder.empty() ? missing("no folder with clang's stddef.h")
                        : found(Folder);
}

static ComponentFinding runtimeLibrary(StringRef) {
  return atPath(findInstalledLibrary("libgpu-estimate-cudart.so"));
}

/// clang loads the plugin only if both have the same version of LLVM.
static ComponentFinding clangWithPlugin(StringRef) {
  ComponentFinding Clang = program({clangProgram()}, "version ([0-9.]+)");
  if (Clang.State != ComponentFinding::Found)
    return Clang;
  Expected<std::string> Plugin = findInstalledLibrary("GpuEstimate.so");
  if (!Plugin)
    return missing(toString(Plugin.takeError()));
  Expected<std::string> Output = outputOf(
      {Clang.Path, "-fplugin=" + *Plugin, "-fplugin-arg-gpu_estimate-gpu=sm_90",
       "-x", "c++", "-fsyntax-only", "/dev/null"});
  if (!Output)
    return {ComponentFinding::Broken, Clang.Version, Clang.Path,
            "it does not load " + *Plugin + ": " +
                toString(Output.takeError())};
  Clang.Path += ", loads " + *Plugin;
  return Clang;
}

static ComponentFinding cudaSdk(StringRef) {
  std::optional<CudaSdk> Sdk = findCudaSdk("");
  if (!Sdk)
    return missing("neither CUDA_PATH, CUDA_HOME, /usr/local/cuda, "
                   "/usr/lib/cuda nor /opt/cuda has include/cuda.h");
  return found(Sdk->Path,
               std::to_string(Sdk->Major) + "." + std::to_string(Sdk->Minor));
}

static ComponentFinding nvcc(StringRef) {
  return program({"nvcc"}, "release ([0-9.]+)");
}

static ComponentFinding ptxas(StringRef) {
  return program({"ptxas"}, "release ([0-9.]+)");
}

static ComponentFinding rocm(StringRef) {
  std::string Folder = findRocmDeviceLibrary({});
  return Folder.empty() ? missing("neither HIP_DEVICE_LIB_PATH, ROCM_PATH, "
                                  "/opt/rocm nor Debian's folder has ocml.bc")
                        : found(Folder);
}

/// The library that programs of `gpu-estimate run` get.
/// A shared library that the loader finds by its name.
static ComponentFinding sharedLibrary(const char *Name) {
  void *Library = dlopen(Name, RTLD_LAZY | RTLD_LOCAL);
  if (!Library)
    return missing("the loader finds no " + std::string(Name));
  link_map *Map = nullptr;
  SmallString<128> Real;
  if (dlinfo(Library, RTLD_DI_LINKMAP, &Map) == 0 &&
      !sys::fs::real_path(Map->l_name, Real))
    return found(Real.str().str());
  return found(Name);
}

static ComponentFinding blas(StringRef) {
  ComponentFinding F = sharedLibrary("libblas.so.3");
  // Debian's alternative is the folder of an implementation.
  if (sys::path::filename(sys::path::parent_path(F.Path)) == "blas")
    F.Problem = "the reference implementation, which is slow; "
                "apt install libopenblas0";
  return F;
}

static ComponentFinding fftw(StringRef) {
  return sharedLibrary("libfftw3.so.3");
}

static ComponentFinding lapack(StringRef) {
  return sharedLibrary("liblapack.so.3");
}

/// A module of the Python that compiles kernels of Triton.
static ComponentFinding pythonModule(const std::string &Name) {
  Expected<std::string> Python = findPython();
  if (!Python)
    return missing(toString(Python.takeError()));
  Expected<std::string> Output =
      outputOf({*Python, "-c",
                "import importlib.metadata as m, importlib.util as u, sys\n"
                "spec = u.find_spec(sys.argv[1])\n"
                "print(m.version(sys.argv[1]), spec.origin) if spec else None",
                Name});
  if (!Output)
    return {ComponentFinding::Broken, "", *Python,
            toString(Output.takeError())};
  auto [Version, Path] = StringRef(*Output).trim().split(' ');
  if (Version.empty())
    return missing(*Python + " has no module " + Name);
  return found(Path.str(), Version.str());
}

static ComponentFinding triton(StringRef) { return pythonModule("triton"); }
static ComponentFinding torch(StringRef) { return pythonModule("torch"); }

static ComponentFinding reducer(StringRef) {
  return program({"cvise", "creduce"}, "([0-9]+[0-9.]*)");
}

namespace {
struct Probe {
  StringLiteral Name;
  bool Required;
  ComponentFinding (*Look)(StringRef ModelFolder);
  StringLiteral Adds, Install;
};
} // namespace

static constexpr bool Required = true, Optional = false;
static constexpr StringLiteral Reinstall =
    "install gpu-estimate again; its folders bin, lib, libexec and share stay "
    "together";

static constexpr Probe Probes[] = {
    {"GPU models", Required, gpuModels, "the GPUs to predict for", Reinstall},
    {"CUDA headers", Required, ownHeaders,
     "CUDA and HIP sources without an SDK", Reinstall},
    {"headers of clang", Required, clangHeaders, "every source",
     "apt install libclang-common-19-dev"},
    {"runtime library", Required, runtimeLibrary,
     "programs of `gpu-estimate run`", Reinstall},
    {"clang with the plugin", Optional, clangWithPlugin,
     "findings as remarks of a compile, and building programs for `run`",
     "apt install clang-19"},
    {"CUDA SDK", Optional, cudaSdk,
     "sources that include headers which gpu-estimate does not have (CUB, "
     "Thrust, CUTLASS)",
     "apt install nvidia-cuda-toolkit, or NVIDIA's CUDA Toolkit, or without "
     "root: pip install nvidia-cuda-nvcc nvidia-cuda-cccl. --cuda-path names "
     "another folder: of pip, .../site-packages/nvidia/cu13"},
    {"nvcc", Optional, nvcc,
     "registers, spills and local memory of NVIDIA's compiler in place of "
     "estimates",
     "part of the CUDA SDK; --nvcc names another one"},
    {"ptxas", Optional, ptxas,
     "registers and spills of NVIDIA's assembler in place of estimates",
     "part of the CUDA SDK; the Python package triton has one "
     "(triton/backends/nvidia/bin), too: --ptxas names it"},
    {"ROCm's device library", Optional, rocm,
     "registers of HIP kernels that call mathematical functions",
     "apt install rocm-device-libs"},
    {"BLAS", Optional, blas, "cuBLAS in programs of `gpu-estimate run`",
     "apt install libopenblas0"},
    {"FFTW", Optional, fftw, "cuFFT in programs of `gpu-estimate run`",
     "apt install libfftw3-double3"},
    {"LAPACK", Optional, lapack, "cuSOLVER in programs of `gpu-estimate run`",
     "apt install liblapack3"},
    {"Triton", Optional, triton,
     "kernels of Triton in files of Python, without a GPU",
     "pip install triton; GPU_ESTIMATE_PYTHON names the interpreter"},
    {"PyTorch", Optional, torch,
     "scripts under `gpu-estimate run` whose tensors are PyTorch's",
     "pip install torch"},
    {"C-Reduce or cvise", Optional, reducer, "`bug-report --reduce`",
     "apt install cvise, or apt install creduce"},
};

std::vector<InstalledComponent> inspectMachine(StringRef ModelFolder) {
  std::vector<InstalledComponent> Components;
  for (const Probe &P : Probes)
    Components.push_back({P.Name, P.Required, P.Adds, P.Install, {}});
  DefaultThreadPool Pool; // most of the time, other programs are waited for
  for (auto [P, C] : zip_equal(Probes, Components))
    Pool.async([&P, &C, ModelFolder] { C.Finding = P.Look(ModelFolder); });
  Pool.wait();
  return Components;
}

} // namespace gpuestimate
