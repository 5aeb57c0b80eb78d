/// \file
/// Translates CUDA, HIP, C or C++ source to LLVM IR, kernels and launches. Only
/// this library and clang-plugin/ use clang. The plugin and the command line
/// share one ASTConsumer: after clang has parsed the file, it generates its own
/// module from the AST of the device side, independent of clang's main action,
/// or from plain C and C++ if a loop nest may become a kernel.
///
/// The module is not optimized: code is generated as for -O3 (without
/// `optnone`, with TBAA and lifetime markers and line tables), but no LLVM pass
/// has run. libdevice is not linked: `__nv_*` functions stay external.
#ifndef GPU_ESTIMATE_FRONTEND_FRONTEND_H
#define GPU_ESTIMATE_FRONTEND_FRONTEND_H

#include "gpu-estimate/Frontend/HostLoopNest.h"
#include "gpu-estimate/Model/Kernel/DeviceCompiler.h"
#include "gpu-estimate/Model/Kernel/EditSite.h"
#include "gpu-estimate/Model/Kernel/LaunchSequence.h"
#include "gpu-estimate/Model/Kernel/LibraryCall.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang
namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace gpuestimate {

/// A request for loop nests: "gemm" (the outermost loops of a function),
/// "gemm:12" (the loop at a line) or "gemm:i" (the loop with a counter).
struct OffloadTarget {
  std::string Function, Loop;
};

/// Loop nests of plain C or C++ to analyze, besides those with a directive.
struct OffloadRequest {
  std::vector<OffloadTarget> Targets;
  bool Propose = false; ///< every loop of the file is a candidate
};

/// How nvcc would compile a source.
struct NvccCommand {
  /// Without the compiler's name, input, output, kind of output, architecture
  /// and what only the host side or later steps need.
  std::vector<std::string> Arguments;
  std::string Directory; ///< of relative paths; "" = the current one
  std::string File;
};

/// The device side of one CUDA or HIP file, or a whole C or C++ file.
struct TranslationUnit {
  TranslationUnit();
  ~TranslationUnit();
  TranslationUnit(TranslationUnit &&);
  TranslationUnit &operator=(TranslationUnit &&);

  std::unique_ptr<llvm::LLVMContext> Context; ///< outlives Module
  std::unique_ptr<llvm::Module> Module;
  std::string PtxText; ///< of a file of PTX; otherwise empty
  /// Every kernel with code in Module, instantiations of templates included,
  /// in the order of the module.
  std::vector<KernelSource> Kernels;
  /// Kernels that system headers define, by mangled name, with the calls in
  /// the user's source that lead to them, in source order; at least one.
  std::map<std::string, std::vector<LibraryCall>> LibraryKernels;
  /// Kernels written in the main file that have no code in Module.
  std::vector<UnemittedKernel> NotEmitted;
  /// Launches of Kernels from host code outside system headers, in source
  /// order; one entry for each way (chain of calls) that gives other values.
  std::vector<LaunchSite> Launches;
  /// The order of the launches, where a file of the compiler states it; else it
  /// is empty.
  LaunchSequence Sequence;
  /// Calls of libraries without source, such as cuBLAS, from host code outside
  /// system headers.
  std::vector<LibraryCall> NotModelled;
  /// Loop nests of C and C++, and directives without a nest. Module then has
  /// the host's code with all debug information.
  std::vector<HostLoopNest> Nests;
  std::vector<RefusedNest> Refused;
  /// Named loops, conditions and accesses of the functions of Module, each
  /// once.
  std::vector<SourceAnchor> Anchors;
  /// Places in the main file that an editor may change, for Kernels.
  std::vector<EditSite> Edits;
  /// Values of macros and constants in annotations, and annotations without
  /// effect, whose text is the reason.
  llvm::StringMap<double> Constants;
  std::vector<SourceAnnotation> UnusedAnnotations;
  bool Host = false;    ///< C or C++
  std::string MainFile; ///< as given to clang
  /// Every file that was read, headers of the system included, but not those
  /// that a HeaderCache has; absolute.
  std::vector<std::string> Files;
  /// The text of files that were read changed, since clang refuses a construct
  /// of nvcc's dialect in them, by name.
  llvm::StringMap<std::string> Repaired;
  std::string Arch; ///< "sm_80", "gfx906"; C and C++: of ParseRequest
  /// The source tests the architecture (__CUDA_ARCH__). Otherwise all newer
  /// ones of the vendor have the same code.
  bool DependsOnArch = true;
  bool Hip = false;
  /// The compiler that the kernels are meant for; nothing for code without
  /// source and loop nests. Module has it as its flag "gpu-estimate.compiler".
  std::optional<DeviceCompiler> Compiler;
  void setCompiler(DeviceCompiler Named); ///< also the flag
  /// The file's compile by nvcc. Nothing: the kernels are meant for clang, the
  /// user asks for headers of gpu-estimate, or the module is not of this file
  /// on disk alone.
  std::optional<NvccCommand> Nvcc;
  /// Registers per thread by the compile command (nvcc -maxrregcount); 0 = no
  /// limit.
  unsigned MaxRegisters = 0;
};

using AnalysisCallback = std::function<void(TranslationUnit &&)>;

/// Runs an analysis, for example guarded against crashes or in a child process.
using AnalysisRunner = std::function<void(llvm::function_ref<void()> Analysis)>;

/// Creates a consumer that calls back once, after the whole file was parsed
/// without errors, if it is the device side of a CUDA or HIP compile, or C or
/// C++ with loops that a directive or Wanted selects. Code generation has its
/// own diagnostics engine, options and LLVMContext, and runs after the last
/// declaration, so that it cannot affect a main action that ran before. Run
/// receives the analysis as a function and must call it. The parser stops after
/// the declaration at which Cancelled, if there is one, is true.
std::unique_ptr<clang::ASTConsumer> createAnalysisConsumer(
    clang::CompilerInstance &Compiler, const OffloadRequest &Wanted,
    AnalysisCallback Callback,
    AnalysisRunner Run =
        [](llvm::function_ref<void()> Analysis) { Analysis(); },
    const std::atomic<bool> *Cancelled = nullptr);

/// The headers that the driver includes before every source, precompiled once
/// for each command line: for a process that parses many sources. Parses at the
/// same time may share one.
class HeaderCache;
std::shared_ptr<HeaderCache> createHeaderCache();
/// The same, with headers that earlier processes have left in the user's cache
/// folder, and for later ones.
std::shared_ptr<HeaderCache> createStoredHeaderCache();

/// How nvcc is asked for PTX in place of clang's code.
struct PtxByNvcc {
  std::string Path; ///< of nvcc; "" = none is at hand
  std::string Arch; ///< "sm_90a", unless the command names one
  unsigned TimeoutSeconds = 20;
  bool IsAlways = false; ///< not only where clang refuses the source
};

struct ParseRequest {
  std::string File;
  /// Contents of File in place of those on disk, if there are any.
  std::optional<std::string> Text = std::nullopt;
  /// As a user gives them to clang++; nvcc's own options are translated.
  std::vector<std::string> ClangArgs;
  /// Directory of a compile_commands.json, whose command for File is used
  /// before ClangArgs; nvcc's flags are translated. "" = none.
  std::string BuildPath;
  /// The compiler's command line, run in Directory ("" = the current one),
  /// instead of a database. File is one of its inputs.
  std::vector<std::string> CommandLine;
  std::string Directory;
  bool NoCudaSdk = false; ///< use our own headers even where an SDK is found
  std::string CudaPath;   ///< of the SDK; "" = look for one
  std::string GpuArch = "sm_80";  ///< unless ClangArgs or the database name one
  std::string HipArch = "gfx906"; ///< the same for a HIP file
  /// The compiler of a CUDA file's device code. Nothing: that of the command
  /// line, and nvcc without one. HIP has clang.
  std::optional<DeviceCompiler> Compiler = std::nullopt;
  /// Do not define the macros by which sources tell nvcc from clang.
  bool HidesNvcc = false;
  /// For a GPU of AMD: a .cu file that includes HIP's runtime is HIP, as hipcc
  /// takes it.
  bool ForAmd = false;
  OffloadRequest Offload;         ///< C and C++ files
  HeaderCache *Headers = nullptr; ///< null: everything is parsed
  /// Further files whose device functions and variables kernels of File use.
  std::vector<std::string> Linked = {};
  /// Becomes true when nobody waits for the result any more; null: never.
  const std::atomic<bool> *Cancelled = nullptr;
  /// For a CUDA file on disk; nothing: clang's code, or none.
  std::optional<PtxByNvcc> ViaPtx = std::nullopt;
};

/// Device code without source, by the name of its file: PTX (.ptx), or LLVM IR
/// for NVPTX or AMDGPU (.ll, .bc, and .llir of Triton).
enum class DeviceFileKind : uint8_t { None, Ptx, LlvmIr };
DeviceFileKind deviceFileKind(llvm::StringRef File);

/// The files of code that an input of the command line stands for: itself; the
/// module of a sequence of XLA (module_0001.jit_f.thunk_sequence.txt), as LLVM
/// IR or else PTX; the modules of all sequences in a folder that XLA has dumped
/// into. Fails where there is no code.
llvm::Expected<std::vector<std::string>> codeFiles(const std::string &Input);

/// Parses one file in this process: the device side of CUDA and HIP, device
/// code of another compiler, or plain C and C++. Appends clang's diagnostics,
/// including warnings, to Diagnostics. Where the code is PTX of nvcc (ViaPtx),
/// a remark says why, and launches and arguments are those of the declarations
/// that clang can read. Errors: the file is missing or
/// unreadable, no command for it in the database, clang reported errors, or it
/// is in another language.
llvm::Expected<TranslationUnit> parse(const ParseRequest &Request,
                                      std::string &Diagnostics);

/// One command of a compilation database.
struct DatabaseCommand {
  std::vector<std::string> CommandLine;
  std::string Directory; ///< absolute
};

/// The commands of BuildPath/compile_commands.json, in its order.
llvm::Expected<std::vector<DatabaseCommand>>
readDatabase(const std::string &BuildPath);

/// The architecture nearest to Wanted that this clang supports: Wanted itself,
/// or the newest one that is not newer ("sm_120" -> "sm_90a").
std::string supportedArch(const std::string &Wanted);

} // namespace gpuestimate

#endif
