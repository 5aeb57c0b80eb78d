/// \file
/// Chooses language, architecture and headers for a run of clang.
#include "CommandLine.h"

#include "gpu-estimate/Frontend/DeviceImage.h"
#include "gpu-estimate/Frontend/Sdk.h"
#include "gpu-estimate/Wrapper/CompilerCall.h"
#include "clang/Basic/Cuda.h"
#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace gpuestimate {

namespace {

bool hasPrefix(llvm::ArrayRef<std::string> Args,
               std::initializer_list<llvm::StringRef> Prefixes) {
  return llvm::any_of(Args, [&](llvm::StringRef Arg) {
    return llvm::any_of(Prefixes,
                        [&](llvm::StringRef P) { return Arg.starts_with(P); });
  });
}

enum class Language { Cuda, Hip, Host, Unknown };

Language languageOf(clang::driver::types::ID Type) {
  using namespace clang::driver;
  if (types::isCuda(Type))
    return Language::Cuda;
  if (types::isHIP(Type))
    return Language::Hip;
  bool Accepted = Type != types::TY_INVALID && types::isAcceptedByClang(Type) &&
                  !types::isOpenCL(Type) && !types::isObjC(Type) &&
                  !types::isLLVMIR(Type) && Type != types::TY_Asm;
  return Accepted ? Language::Host : Language::Unknown;
}

/// Does the request's file include the runtime of HIP?
bool includesHip(const ParseRequest &Request, llvm::StringRef File,
                 llvm::StringRef Directory) {
  constexpr llvm::StringLiteral Header = "<hip/hip_runtime";
  if (Request.Text)
    return llvm::StringRef(*Request.Text).contains(Header);
  llvm::SmallString<128> Path(File);
  if (!Directory.empty())
    llvm::sys::fs::make_absolute(Directory, Path);
  auto Text = llvm::MemoryBuffer::getFile(Path);
  return Text && (*Text)->getBuffer().contains(Header);
}

/// Is the command one of hipcc, which takes C++ for HIP?
bool isOfHipcc(const ParseRequest &Request) {
  if (Request.CommandLine.empty())
    return false;
  size_t Compiler = parseCompilerCall(Request.CommandLine).Compiler;
  return Compiler < Request.CommandLine.size() &&
         llvm::sys::path::filename(Request.CommandLine[Compiler])
             .contains("hipcc");
}

/// The last -x wins; without one the file's name decides, for a GPU of AMD what
/// it includes, and hipcc takes all but C for HIP.
Language languageOf(const ParseRequest &Request,
                    llvm::ArrayRef<std::string> Args, llvm::StringRef File,
                    llvm::StringRef Directory) {
  for (size_t I = Args.size(); I-- > 0;) {
    llvm::StringRef Arg = Args[I];
    llvm::StringRef Name;
    if (Arg == "-x" && I + 1 < Args.size())
      Name = Args[I + 1];
    else if (Arg.consume_front("-x"))
      Name = Arg;
    if (!Name.empty() && Name != "none")
      return languageOf(
          clang::driver::types::lookupTypeForTypeSpecifier(Name.str().c_str()));
  }
  llvm::StringRef Extension = llvm::sys::path::extension(File);
  Language ByName =
      Extension == ".cuh" ? Language::Cuda
      : Extension.empty()
          ? Language::Unknown
          : languageOf(clang::driver::types::lookupTypeForExtension(
                Extension.drop_front()));
  bool IsCpp = ByName == Language::Host && Extension != ".c";
  if ((ByName == Language::Cuda || IsCpp) && isOfHipcc(Request))
    return Language::Hip;
  if (ByName == Language::Cuda && Request.ForAmd &&
      includesHip(Request, File, Directory))
    return Language::Hip;
  return ByName;
}

/// The SDK that the user names, for clang or for gpu-estimate.
std::string sdkPath(const ParseRequest &Request,
                    llvm::ArrayRef<std::string> Args) {
  for (llvm::StringRef Arg : Args)
    if (Arg.consume_front("--cuda-path="))
      return Arg.str();
  return Request.CudaPath;
}

/// Is the folder, named in a command that runs in Directory, that of an SDK's
/// headers?
bool holdsSdkHeaders(llvm::StringRef Folder, llvm::StringRef Directory) {
  llvm::SmallString<128> Path(Folder);
  if (!Directory.empty())
    llvm::sys::fs::make_absolute(Directory, Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return llvm::sys::path::filename(Path) == "include" &&
         findCudaSdk(llvm::sys::path::parent_path(Path).str());
}

/// The command's arguments for a parse with the headers of gpu-estimate: an
/// SDK's folder among those that it searches would hide them.
std::vector<std::string> withoutSdkFolders(const CompileCommand &Command) {
  std::vector<std::string> Kept;
  llvm::ArrayRef<std::string> Given = Command.Args;
  for (size_t I = 0; I < Given.size(); ++I) {
    llvm::StringRef Folder = Given[I];
    size_t Words = 1;
    bool Searched = Folder.consume_front("-I") ||
                    Folder.consume_front("-isystem") ||
                    Folder.consume_front("-iquote");
    if (Searched && Folder.empty() && I + 1 < Given.size()) {
      Folder = Given[I + 1];
      Words = 2;
    }
    if (!Searched || !holdsSdkHeaders(Folder, Command.Directory))
      Kept.insert(Kept.end(), Given.begin() + I, Given.begin() + I + Words);
    I += Words - 1;
  }
  return Kept;
}

/// Makes the headers define what nvcc predefines
/// (cuda-headers/gpu_estimate/nvcc_macros.h).
void addNvccMacros(const ParseRequest &Request, const CompileCommand &Command,
                   std::vector<std::string> &Args) {
  if (Request.HidesNvcc ||
      deviceCompiler(Request, Command) != DeviceCompiler::Nvcc)
    return;
  Args.push_back("-DGPU_ESTIMATE_NVCC");
  // CUB and Thrust have it in the names of their namespaces.
  std::string Arch = supportedArch(Request.GpuArch);
  for (llvm::StringRef Arg : Command.Args)
    if (Arg.consume_front("--cuda-gpu-arch=") ||
        Arg.consume_front("--offload-arch="))
      Arch = Arg.str();
  llvm::StringRef Digits = Arch;
  if (Digits.consume_front("sm_"))
    Args.push_back(
        "-D__CUDA_ARCH_LIST__=" + Digits.take_while(llvm::isDigit).str() + "0");
  // Without a command line nothing says which extensions are on.
  if (!Command.Compiler)
    Args.insert(Args.end(), {"-DGPU_ESTIMATE_EXTENDED_LAMBDA",
                             "-DGPU_ESTIMATE_RELAXED_CONSTEXPR"});
}

void addCudaHeaders(const ParseRequest &Request, const CompileCommand &Command,
                    std::vector<std::string> &Args) {
  auto add = [&](std::initializer_list<std::string> More) {
    Args.insert(Args.end(), More);
  };
  // libdevice is never linked, so that calls stay visible by name. Without it
  // clang looks for no version of PTX, and would take one that lacks most
  // builtins.
  // nvcc accepts the storage class that C++17 has removed, and warns of numbers
  // in braces that do not fit.
  add({"-nocudalib", "--cuda-feature=+ptx85", "-Wno-unknown-cuda-version",
       "-Wno-register", "-Wno-c++11-narrowing"});
  if (choosesHeaders(Command.Args))
    return;
  addNvccMacros(Request, Command, Args);
  std::string Own = findShippedHeaders();
  auto Sdk = Request.NoCudaSdk ? std::nullopt
                               : findCudaSdk(sdkPath(Request, Command.Args));
  if (!Sdk) {
    // Without an SDK clang would launch kernels by the functions before
    // CUDA 9.2.
    add({"-nocudainc", "-isystem", Own, "-include", "gpu_estimate_cuda.h",
         "-Xclang", "-target-sdk-version=12.5"});
    return;
  }
  // Neither "newer than known" nor "too new for this old GPU" matters here:
  // nothing is assembled.
  add({"--cuda-path=" + Sdk->Path, "--no-cuda-version-check"});
  // Chooses the runtime function behind <<<>>>; 12.5 is the newest that clang
  // 19 knows.
  bool Supported = Sdk->Major < 12 || (Sdk->Major == 12 && Sdk->Minor <= 5);
  add({"-Xclang",
       "-target-sdk-version=" + (Supported ? std::to_string(Sdk->Major) + "." +
                                                 std::to_string(Sdk->Minor)
                                           : "12.5")});
  // What clang misses in an SDK: a file, or what nvcc declares on its own.
  add({"-isystem", Own + "/compat", "-include", "gpu_estimate_sdk.h"});
  if (Sdk->Major >= 13) {
    // Thrust, CUB and libcu++ moved here; nvcc looks there on its own.
    add({"-isystem", Sdk->Path + "/include/cccl"});
  }
}

/// clang++ and where its own headers are.
std::vector<std::string> compiler() {
  std::vector<std::string> Args = {GPU_ESTIMATE_CLANG};
  if (std::string Resources = findResourceDir(); !Resources.empty())
    Args.push_back("-resource-dir=" + Resources);
  return Args;
}

/// Headers of the C and C++ libraries that came with gpu-estimate, where the
/// system has none.
void addSystemHeaders(std::vector<std::string> &Args) {
  namespace fs = llvm::sys::fs;
  std::string Shipped = findSystemHeaders();
  if (Shipped.empty())
    return;
  if (!fs::exists("/usr/include/stdio.h"))
    Args.insert(Args.end(), {"-idirafter", Shipped + "/c"});
  if (!fs::is_directory("/usr/include/c++"))
    Args.insert(Args.end(), {"-cxx-isystem", Shipped + "/c++", "-cxx-isystem",
                             Shipped + "/c++/backward"});
}

void addHipHeaders(llvm::ArrayRef<std::string> Given,
                   std::vector<std::string> &Args) {
  // What hipcc defines.
  Args.insert(Args.end(), {"-nogpulib", "-D__HIP_PLATFORM_AMD__=1",
                           "-D__HIP_PLATFORM_HCC__=1"});
  if (!hasPrefix(Given, {"-nogpuinc", "--rocm-path", "--hip-path"}))
    // clang's own HIP headers stand on no ROCm; without them there is no
    // device mathematics.
    Args.insert(Args.end(), {"-nogpuinc", "-isystem", findShippedHeaders(),
                             "-include", "__clang_hip_runtime_wrapper.h"});
  // Headers of libraries, such as rocPRIM, which hipcc finds there.
  std::optional<std::string> Rocm = llvm::sys::Process::GetEnv("ROCM_PATH");
  std::string Libraries = Rocm.value_or("/opt/rocm") + "/include";
  if (llvm::sys::fs::is_directory(Libraries))
    Args.insert(Args.end(), {"-idirafter", Libraries});
}

} // namespace

bool choosesHeaders(llvm::ArrayRef<std::string> Given) {
  return hasPrefix(Given, {"-nocudainc", "-nogpuinc"});
}

bool isCuda(const ParseRequest &Request, const CompileCommand &Command) {
  return languageOf(Request, Command.Args, Command.File, Command.Directory) ==
         Language::Cuda;
}

DeviceCompiler deviceCompiler(const ParseRequest &Request,
                              const CompileCommand &Command) {
  return Request.Compiler.value_or(
      Command.Compiler.value_or(DeviceCompiler::Nvcc));
}

std::string supportedArch(const std::string &Wanted) {
  if (clang::StringToOffloadArch(Wanted) != clang::OffloadArch::UNKNOWN)
    return Wanted;
  llvm::StringRef Text = Wanted;
  unsigned Number = 0;
  if (!Text.consume_front("sm_") || Text.consumeInteger(10, Number))
    return Wanted;
  // "sm_100a" has features that clang lacks; the newest known one that is not
  // newer is the closest in code.
  std::string Best = Wanted;
  unsigned BestNumber = 0;
  for (int I = static_cast<int>(clang::OffloadArch::SM_30);
       I < static_cast<int>(clang::OffloadArch::GFX600); ++I) {
    llvm::StringRef Name =
        clang::OffloadArchToString(static_cast<clang::OffloadArch>(I));
    llvm::StringRef Digits = Name;
    unsigned Candidate = 0;
    if (Digits.consume_front("sm_") && !Digits.consumeInteger(10, Candidate) &&
        Candidate <= Number && Candidate >= BestNumber) {
      BestNumber = Candidate;
      Best = Name.str();
    }
  }
  return Best;
}

std::vector<std::string> driverArguments(const ParseRequest &Request,
                                         const CompileCommand &Command,
                                         bool &Host) {
  Language Lang =
      languageOf(Request, Command.Args, Command.File, Command.Directory);
  const std::vector<std::string> Given =
      Lang == Language::Cuda && Request.NoCudaSdk ? withoutSdkFolders(Command)
                                                  : Command.Args;

  std::vector<std::string> Args = compiler();
  // First, so that the user's flags win.
  Args.push_back("-O3");
  Args.insert(Args.end(), Given.begin(), Given.end());
  Args.insert(Args.end(),
              {"-fsyntax-only", "-Wno-unused-command-line-argument"});

  // <omp.h> where no OpenMP library is installed, <torch/extension.h> where
  // PyTorch is not.
  if (Lang != Language::Unknown)
    Args.insert(Args.end(), {"-idirafter", findShippedHeaders() + "/host",
                             "-idirafter", findShippedHeaders() + "/pytorch"});
  addSystemHeaders(Args);
  bool HasArch = hasPrefix(Given, {"--cuda-gpu-arch=", "--offload-arch="});
  switch (Lang) {
  case Language::Cuda:
    Args.push_back("--cuda-device-only");
    if (!HasArch)
      Args.push_back("--cuda-gpu-arch=" + supportedArch(Request.GpuArch));
    addCudaHeaders(Request, Command, Args);
    Args.insert(Args.end(), {"-x", "cuda"});
    break;
  case Language::Hip:
    Args.push_back("--cuda-device-only");
    if (!HasArch)
      Args.push_back("--offload-arch=" + Request.HipArch);
    addHipHeaders(Given, Args);
    Args.insert(Args.end(), {"-x", "hip"});
    break;
  case Language::Host:
    // A directive's loop is wanted, not what a run-time library makes of it.
    // Device compilers fuse multiply and add, unless they are told not to.
    Host = true;
    Args.insert(Args.begin() + 1,
                {"--driver-mode=gcc", "-ffp-contract=fast", "-fno-math-errno"});
    Args.insert(Args.end(), {"-fno-openmp", "-fno-stack-protector"});
    break;
  case Language::Unknown:
    break;
  }
  Args.push_back(Command.File);
  return Args;
}

/// Is File C? nvcc hands such a file to the host compiler as it is; only a
/// compiler with ++ in its name takes it for C++.
static bool isC(const ParseRequest &Request, llvm::StringRef File) {
  if (llvm::sys::path::extension(File) != ".c")
    return false;
  if (Request.CommandLine.empty())
    return true;
  size_t Compiler = parseCompilerCall(Request.CommandLine).Compiler;
  return !llvm::sys::path::filename(Request.CommandLine[Compiler])
              .contains("++");
}

/// Clang compiles C, and accepts of old C what the host compilers of nvcc
/// accept.
static void compileAsC(std::vector<std::string> &Args) {
  llvm::erase_if(Args, [](llvm::StringRef Arg) {
    return Arg.starts_with("-std=c++") || Arg.starts_with("-std=gnu++");
  });
  Args.insert(Args.end(),
              {"-Wno-error=implicit-function-declaration",
               "-Wno-error=implicit-int", "-Wno-error=int-conversion",
               "-Wno-error=incompatible-function-pointer-types",
               "-Wno-error=return-type", "-x", "c"});
}

/// Where a host source finds the runtime's declarations.
static std::string hostHeaders(const ParseRequest &Request,
                               llvm::ArrayRef<std::string> Given) {
  if (!Request.NoCudaSdk)
    if (auto Sdk = findCudaSdk(sdkPath(Request, Given)))
      return Sdk->Path + "/include";
  return findShippedHeaders();
}

std::vector<std::string> hostArguments(const ParseRequest &Request,
                                       const CompileCommand &Command,
                                       llvm::StringRef DeviceImage) {
  const std::vector<std::string> Given =
      Request.NoCudaSdk ? withoutSdkFolders(Command) : Command.Args;
  std::vector<std::string> Args = compiler();
  Args.push_back("-O2");
  // nvcc's host compiler does not optimise unless it is told to, so that
  // integers that overflow wrap in programs that were tested with it.
  Args.push_back("-fwrapv");
  if (!Command.Directory.empty())
    Args.push_back("-working-directory=" + Command.Directory);
  Args.insert(Args.end(), Given.begin(), Given.end());
  // GCC warns of variables in braces that may not fit.
  Args.insert(Args.end(),
              {"-Wno-unused-command-line-argument", "-Wno-c++11-narrowing"});
  Args.insert(Args.end(), {"-idirafter", findShippedHeaders() + "/host"});
  Language Lang = languageOf(Request, Given, Command.File, Command.Directory);
  if (Lang == Language::Cuda)
    addCudaHeaders(Request, Command, Args);
  else if (Lang == Language::Hip)
    addHipHeaders(Given, Args);
  else // may call the runtime, too
    Args.insert(Args.end(), {"-isystem", hostHeaders(Request, Given)});
  if (Lang == Language::Host && !hasPrefix(Given, {"-x"}) &&
      isC(Request, Command.File))
    compileAsC(Args);
  if (Lang == Language::Cuda || Lang == Language::Hip)
    Args.insert(Args.end(),
                {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary",
                 "-Xclang", DeviceImage.str(), "-x",
                 Lang == Language::Cuda ? "cuda" : "hip"});
  Args.push_back(Command.File);
  return Args;
}

std::string clangProgram() { return GPU_ESTIMATE_CLANG; }

bool hasDeviceSide(const ParseRequest &Request) {
  Language Lang =
      languageOf(Request, Request.ClangArgs, Request.File, Request.Directory);
  return Lang == Language::Cuda || Lang == Language::Hip;
}

} // namespace gpuestimate
