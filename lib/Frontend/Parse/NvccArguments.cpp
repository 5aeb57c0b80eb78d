/// \file
/// nvcc's flags in clang's spelling. One table; a flag that is not in it is
/// passed on as it is, since nvcc accepts most of a host compiler's flags.
#include "CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

namespace {

enum class Action {
  Drop,         ///< no influence on the device code that is analysed
  DropValue,    ///< the same, with a value
  Forward,      ///< -FLAG VALUE in clang's spelling (Text), joined
  ForwardApart, ///< the same, as two arguments
  HostCompiler, ///< comma-separated arguments of the host compiler
  Replace,      ///< space-separated arguments instead (Text)
  Architecture, ///< sm_80, compute_80, or arch=compute_80,code=sm_80
  FastMath,
  FlushDenormals, ///< true/false
  Contract,       ///< true/false
  Registers,
  Relocatable, ///< true/false
};

struct Rule {
  llvm::StringLiteral Flag; ///< without leading dashes
  Action Act;
  llvm::StringLiteral Text = "";
};

constexpr llvm::StringLiteral RelocatableMacro = "-DGPU_ESTIMATE_RDC";

// Values may follow as `--flag value` or `--flag=value`.
constexpr Rule Rules[] = {
    {"gencode", Action::Architecture},
    {"generate-code", Action::Architecture},
    {"arch", Action::Architecture},
    {"gpu-architecture", Action::Architecture},
    {"code", Action::DropValue},
    {"gpu-code", Action::DropValue},
    {"use_fast_math", Action::FastMath},
    {"ftz", Action::FlushDenormals},
    {"fmad", Action::Contract},
    {"prec-div", Action::DropValue},
    {"prec-sqrt", Action::DropValue},
    {"maxrregcount", Action::Registers},
    {"std", Action::Forward, "-std="},
    {"include", Action::ForwardApart, "-include"},
    {"pre-include", Action::ForwardApart, "-include"},
    {"isystem", Action::ForwardApart, "-isystem"},
    {"system-include", Action::ForwardApart, "-isystem"},
    {"include-path", Action::Forward, "-I"},
    {"define-macro", Action::Forward, "-D"},
    {"undefine-macro", Action::Forward, "-U"},
    {"Xcompiler", Action::HostCompiler},
    {"compiler-options", Action::HostCompiler},
    // Macros of cuda-headers/gpu_estimate/nvcc_macros.h.
    {"extended-lambda", Action::Replace, "-DGPU_ESTIMATE_EXTENDED_LAMBDA"},
    {"expt-extended-lambda", Action::Replace, "-DGPU_ESTIMATE_EXTENDED_LAMBDA"},
    {"expt-relaxed-constexpr", Action::Replace,
     "-DGPU_ESTIMATE_RELAXED_CONSTEXPR"},
    {"relocatable-device-code", Action::Relocatable},
    {"rdc", Action::Relocatable},
    {"dc", Action::Replace, RelocatableMacro},
    {"dw", Action::Drop},
    {"dlink", Action::Drop},
    {"device-c", Action::Replace, RelocatableMacro},
    {"device-w", Action::Drop},
    {"compile", Action::Drop},
    {"ptx", Action::Drop},
    {"cubin", Action::Drop},
    {"fatbin", Action::Drop},
    {"lineinfo", Action::Drop},
    {"generate-line-info", Action::Drop},
    {"device-debug", Action::Drop},
    {"G", Action::Drop},
    {"debug", Action::Drop},
    {"keep", Action::Drop},
    {"keep-dir", Action::DropValue},
    {"ccbin", Action::DropValue},
    {"compiler-bindir", Action::DropValue},
    {"Xptxas", Action::DropValue},
    {"ptxas-options", Action::DropValue},
    {"Xnvlink", Action::DropValue},
    {"nvlink-options", Action::DropValue},
    {"Xlinker", Action::DropValue},
    {"linker-options", Action::DropValue},
    {"Xcudafe", Action::DropValue},
    {"Xfatbin", Action::DropValue},
    {"Xarchive", Action::DropValue},
    {"cudart", Action::DropValue},
    {"cudadevrt", Action::DropValue},
    {"default-stream", Action::DropValue},
    {"threads", Action::DropValue},
    {"t", Action::DropValue},
    {"split-compile", Action::DropValue},
    {"diag-suppress", Action::DropValue},
    {"diag-error", Action::DropValue},
    {"diag-warn", Action::DropValue},
    {"display-error-number", Action::Drop},
    {"no-display-error-number", Action::Drop},
    {"Werror", Action::DropValue},
    {"disable-warnings", Action::Replace, "-w"},
    {"source-in-ptx", Action::Drop},
    {"restrict", Action::Drop},
    {"extra-device-vectorization", Action::Drop},
    {"dlto", Action::Drop},
    {"forward-unknown-to-host-compiler", Action::Drop},
    {"forward-unknown-to-host-linker", Action::Drop},
    {"forward-unknown-opts", Action::Drop},
    {"Wno-deprecated-gpu-targets", Action::Drop},
    {"Wreorder", Action::Drop},
    {"Wdefault-stream-launch", Action::Drop},
    {"Wmissing-launch-bounds", Action::Drop},
    {"Wext-lambda-captures-this", Action::Drop},
    {"resource-usage", Action::Drop},
    {"res-usage", Action::Drop},
    {"run", Action::Drop},
    {"dryrun", Action::Drop},
    {"verbose", Action::Drop},
    {"machine", Action::DropValue},
    // These are about host code: device code is optimised without them.
    {"optimize", Action::DropValue},
    {"O0", Action::Drop},
    {"O1", Action::Drop},
    {"O2", Action::Drop},
    {"O3", Action::Drop},
    {"x", Action::DropValue}, // only "cu" gets here, see below
};

bool takesValue(Action Act) {
  switch (Act) {
  case Action::Drop:
  case Action::Replace:
  case Action::FastMath:
    return false;
  default:
    return true;
  }
}

/// "arch=compute_80,code=[compute_80,sm_80]", "sm_80", "compute_80" -> "sm_80".
std::string architectureOf(llvm::StringRef Value) {
  size_t Start = Value.find("sm_");
  if (Start == llvm::StringRef::npos)
    Start = Value.find("compute_");
  if (Start == llvm::StringRef::npos)
    return ""; // "native", "all", "all-major": the default architecture
  llvm::StringRef Digits = Value.substr(Value.find('_', Start) + 1);
  return "sm_" + Digits.take_while(llvm::isAlnum).str();
}

} // namespace

/// Options of nvcc that clang has as well, with a meaning of its own or a value
/// in another place.
static bool isClangs(llvm::StringRef Flag) {
  static constexpr llvm::StringLiteral Flags[] = {
      "std",     "include", "isystem", "define-macro", "undefine-macro",
      "Xlinker", "Werror",  "O0",      "O1",           "O2",
      "O3",      "verbose", "debug",   "compile",      "optimize"};
  return llvm::is_contained(Flags, Flag);
}

/// Appends what the rule makes of an option with this value. HasArchitecture:
/// one was appended.
static void apply(const Rule &R, llvm::StringRef Value, unsigned &MaxRegisters,
                  bool &HasArchitecture, std::vector<std::string> &Result) {
  switch (R.Act) {
  case Action::Drop:
  case Action::DropValue:
    break;
  case Action::Forward:
    Result.push_back((R.Text + Value).str());
    break;
  case Action::ForwardApart:
    Result.insert(Result.end(), {R.Text.str(), Value.str()});
    break;
  case Action::Replace:
    Result.push_back(R.Text.str());
    break;
  case Action::HostCompiler: {
    llvm::SmallVector<llvm::StringRef> Parts;
    Value.split(Parts, ',', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef Part : Parts)
      // What else a host compiler is told is about host code.
      if (Part.starts_with("-D") || Part.starts_with("-I") ||
          Part.starts_with("-U") || Part.starts_with("-std=") ||
          Part.starts_with("-fopenmp"))
        Result.push_back(Part.str());
    break;
  }
  case Action::Architecture: {
    // One architecture is analysed: the first that the command names.
    std::string Architecture = architectureOf(Value);
    if (!HasArchitecture && !Architecture.empty()) {
      Result.push_back("--cuda-gpu-arch=" + supportedArch(Architecture));
      HasArchitecture = true;
    }
    break;
  }
  case Action::FastMath:
    // nvcc's flag allows approximate division, square root and
    // transcendental functions, but never reorders a sum.
    Result.insert(Result.end(),
                  {"-fgpu-flush-denormals-to-zero",
                   "-fgpu-approx-transcendentals", "-fapprox-func",
                   "-freciprocal-math", "-ffp-contract=fast"});
    break;
  case Action::FlushDenormals:
    if (Value == "true")
      Result.push_back("-fgpu-flush-denormals-to-zero");
    break;
  case Action::Contract:
    Result.push_back(Value == "false" ? "-ffp-contract=off"
                                      : "-ffp-contract=fast");
    break;
  case Action::Registers:
    Value.getAsInteger(10, MaxRegisters);
    break;
  case Action::Relocatable:
    if (Value == "true")
      Result.push_back(RelocatableMacro.str());
    break;
  }
}

/// Mixed: options that are also clang's are left alone.
static std::vector<std::string> translate(llvm::ArrayRef<std::string> Args,
                                          bool Mixed, unsigned &MaxRegisters) {
  std::vector<std::string> Result;
  bool HasArchitecture = false;
  for (size_t I = 0; I < Args.size(); ++I) {
    llvm::StringRef Arg = Args[I];
    if (!Arg.starts_with("-") || Arg.size() < 2) {
      Result.push_back(Arg.str());
      continue;
    }
    llvm::StringRef Body = Arg.ltrim('-');
    auto [Flag, Value] = Body.split('=');
    bool HasValue = Body.contains('=');
    const Rule *Match = nullptr;
    for (const Rule &R : Rules)
      if (R.Flag == Flag && !(Mixed && isClangs(Flag)))
        Match = &R;
    // nvcc names CUDA "cu"; other languages are spelled as clang does.
    if (Match && Flag == "x") {
      llvm::StringRef Language;
      if (I + 1 < Args.size())
        Language = Args[I + 1];
      Result.insert(Result.end(),
                    {"-x", Language == "cu" ? "cuda" : Language.str()});
      ++I;
      continue;
    }
    if (!Match) {
      Result.push_back(Arg.str());
      continue;
    }
    if (takesValue(Match->Act) && !HasValue) {
      if (++I == Args.size())
        break;
      Value = Args[I];
    }
    apply(*Match, Value, MaxRegisters, HasArchitecture, Result);
  }
  return Result;
}

std::vector<std::string> translateNvccArgs(llvm::ArrayRef<std::string> Args,
                                           unsigned &MaxRegisters) {
  return translate(Args, /*Mixed=*/false, MaxRegisters);
}

std::vector<std::string> translateMixedArgs(llvm::ArrayRef<std::string> Args,
                                            unsigned &MaxRegisters) {
  return translate(Args, /*Mixed=*/true, MaxRegisters);
}

/// Options of nvcc that a compile to PTX must not have, or that mean nothing to
/// it: other outputs, other architectures, code for debuggers, later steps.
static bool isNotForPtx(llvm::StringRef Flag) {
  static constexpr llvm::StringLiteral Flags[] = {"gencode",
                                                  "generate-code",
                                                  "arch",
                                                  "gpu-architecture",
                                                  "code",
                                                  "gpu-code",
                                                  "dc",
                                                  "dw",
                                                  "dlink",
                                                  "device-c",
                                                  "device-w",
                                                  "compile",
                                                  "ptx",
                                                  "cubin",
                                                  "fatbin",
                                                  "device-debug",
                                                  "G",
                                                  "debug",
                                                  "lineinfo",
                                                  "generate-line-info",
                                                  "source-in-ptx",
                                                  "keep",
                                                  "keep-dir",
                                                  "Xptxas",
                                                  "ptxas-options",
                                                  "Xnvlink",
                                                  "nvlink-options",
                                                  "Xlinker",
                                                  "linker-options",
                                                  "Xfatbin",
                                                  "Xarchive",
                                                  "cudart",
                                                  "cudadevrt",
                                                  "threads",
                                                  "t",
                                                  "split-compile",
                                                  "resource-usage",
                                                  "res-usage",
                                                  "run",
                                                  "dryrun",
                                                  "verbose",
                                                  "dlto",
                                                  "x"};
  return llvm::is_contained(Flags, Flag);
}

/// Options of both compilers that decide what the source means, with a value.
static bool isPreprocessor(llvm::StringRef Flag) {
  static constexpr llvm::StringLiteral Flags[] = {"include", "isystem", "I",
                                                  "D", "U"};
  return llvm::is_contained(Flags, Flag);
}

static const Rule *findRule(llvm::StringRef Flag) {
  const auto *Found =
      llvm::find_if(Rules, [&](const Rule &R) { return R.Flag == Flag; });
  return Found != std::end(Rules) ? Found : nullptr;
}

std::string nvccArchitecture(llvm::ArrayRef<std::string> Args) {
  for (size_t I = 0; I < Args.size(); ++I) {
    if (!llvm::StringRef(Args[I]).starts_with("-"))
      continue;
    auto [Flag, Value] = llvm::StringRef(Args[I]).ltrim('-').split('=');
    const Rule *Known = findRule(Flag);
    if (!Known || Known->Act != Action::Architecture)
      continue;
    if (Value.empty() && I + 1 < Args.size())
      Value = Args[I + 1];
    if (std::string Architecture = architectureOf(Value); !Architecture.empty())
      return Architecture;
  }
  return "";
}

std::vector<std::string> nvccArgsForPtx(llvm::ArrayRef<std::string> Args) {
  std::vector<std::string> Result;
  for (size_t I = 0; I < Args.size(); ++I) {
    llvm::StringRef Arg = Args[I];
    llvm::StringRef Flag = Arg.ltrim('-').split('=').first;
    const Rule *Known = Arg.starts_with("-") ? findRule(Flag) : nullptr;
    size_t Words =
        Known && takesValue(Known->Act) && !Arg.contains('=') ? 2 : 1;
    if (!Known || !isNotForPtx(Flag))
      for (size_t Word = I; Word < std::min(I + Words, Args.size()); ++Word)
        Result.push_back(Args[Word]);
    // The code of a program in parts keeps its functions.
    if (Flag == "dc" || Flag == "device-c")
      Result.push_back("-rdc=true");
    I += Words - 1;
  }
  return Result;
}

std::vector<std::string> mixedArgsForPtx(llvm::ArrayRef<std::string> Args) {
  std::vector<std::string> Result;
  for (size_t I = 0; I < Args.size(); ++I) {
    llvm::StringRef Arg = Args[I];
    llvm::StringRef Flag = Arg.ltrim('-').split('=').first;
    if (!Arg.starts_with("-"))
      continue;
    if (isPreprocessor(Flag) && I + 1 < Args.size()) {
      Result.insert(Result.end(), {Arg.str(), Args[++I]});
    } else if (Arg.starts_with("-I") || Arg.starts_with("-D") ||
               Arg.starts_with("-U")) {
      Result.push_back(Arg.str());
    } else if (Flag == "std") {
      llvm::StringRef Standard = Arg.split('=').second;
      Result.push_back("-std=" + (Standard.consume_front("gnu++")
                                      ? "c++" + Standard.str()
                                      : Standard.str()));
    } else if (Arg == "-ffast-math") {
      Result.push_back("-use_fast_math");
    } else if (Arg == "-ffp-contract=off") {
      Result.push_back("-fmad=false");
    } else if (const Rule *Known = findRule(Flag); Known && !isClangs(Flag)) {
      std::vector<std::string> One = {Arg.str()};
      if (takesValue(Known->Act) && !Arg.contains('=') && I + 1 < Args.size())
        One.push_back(Args[++I]);
      llvm::append_range(Result, nvccArgsForPtx(One));
    }
  }
  return Result;
}

} // namespace gpuestimate
