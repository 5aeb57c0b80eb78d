/// \file
/// From CUDA, HIP, C or C++ source to LLVM IR, kernels and launches: the one
/// room (with clang-plugin/) that sees clang. Plugin and command line end in
/// the same ASTConsumer: it lets clang parse, then makes its own module from
/// the AST of the device side, beside whatever clang's main action does with
/// that AST; of plain C and C++, where a loop nest is meant for a GPU.
///
/// The module is raw: code generated as for -O3 (no `optnone`, TBAA and
/// lifetime markers kept) but before any LLVM pass, with line tables. libdevice
/// is not linked: `__nv_*` functions stay external.
#ifndef GPU_ESTIMATE_FRONTEND_FRONTEND_H
#define GPU_ESTIMATE_FRONTEND_FRONTEND_H

#include "gpu-estimate/Frontend/HostNest.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
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

/// "gemm" or "gemm:12" or "gemm:i": the outermost loops of a function, or the
/// loop of a line or of a counter.
struct OffloadTarget {
  std::string Function, Loop;
};

/// Loop nests of plain C or C++ that are wanted beside the marked ones.
struct OffloadRequest {
  std::vector<OffloadTarget> Targets;
  bool Propose = false; ///< every loop of the file is a candidate
};

/// The device side of one CUDA or HIP file, or a whole C or C++ file.
struct TranslationUnit {
  TranslationUnit();
  ~TranslationUnit();
  TranslationUnit(TranslationUnit &&);
  TranslationUnit &operator=(TranslationUnit &&);

  std::unique_ptr<llvm::LLVMContext> Context; ///< outlives Module
  std::unique_ptr<llvm::Module> Module;
  /// Every kernel with code in Module, instantiations of templates included,
  /// in the order of the module.
  std::vector<KernelSource> Kernels;
  /// Kernels written in the main file that have no code in Module.
  std::vector<UnemittedKernel> NotEmitted;
  /// Launches of Kernels from host code outside system headers, in source
  /// order; one entry for each way (chain of calls) that gives other values.
  std::vector<LaunchSite> Launches;
  /// C and C++: loop nests, of which Module has the host's code with all debug
  /// information; and directives that lead to none.
  std::vector<HostNest> Nests;
  std::vector<RefusedNest> Refused;
  /// Places of the functions of Module, each name and place once.
  std::vector<SourceAnchor> Anchors;
  /// Values of the macros and constants that notes use, and notes that are
  /// about nothing, with what is wrong as their text.
  llvm::StringMap<double> Constants;
  std::vector<SourceNote> IdleNotes;
  bool Host = false;    ///< C or C++
  std::string MainFile; ///< as given to clang
  /// Every file that was read, headers of the system included.
  std::vector<std::string> Files;
  std::string Arch; ///< "sm_80", "gfx906"; C and C++: of ParseRequest
  /// The source asks for the architecture (__CUDA_ARCH__). Else a newer one of
  /// the same vendor gives the same code.
  bool AsksForArch = true;
  bool Hip = false;
  /// A limit that the compile command gives (nvcc -maxrregcount), 0 = none.
  unsigned MaxRegisters = 0;
};

using AnalysisCallback = std::function<void(TranslationUnit &&)>;

/// Runs the analysis that it is given, in the way that its owner wants: guarded
/// against crashes, in a process of its own.
using AnalysisRunner = std::function<void(llvm::function_ref<void()> Analysis)>;

/// A consumer that calls back once, after the whole file was parsed without
/// errors, if this is the device side of a CUDA or HIP compile, or C or C++
/// with loops that a directive or Wanted means for a GPU; never otherwise. Code
/// generation has its own diagnostics engine, options and LLVMContext, and runs
/// after the last declaration, so that a main action whose consumer runs before
/// this one is not influenced at all. Run is called once in place of the code
/// generation and the callback, and calls them; by default it does only that.
std::unique_ptr<clang::ASTConsumer> createAnalysisConsumer(
    clang::CompilerInstance &Compiler, const OffloadRequest &Wanted,
    AnalysisCallback Callback,
    AnalysisRunner Run = [](llvm::function_ref<void()> Analysis) {
      Analysis();
    });

struct ParseRequest {
  std::string File;
  std::vector<std::string> ClangArgs; ///< as a user gives them to clang++
  /// Directory of a compile_commands.json, whose command for File is used
  /// before ClangArgs; nvcc's flags are translated. "" = none.
  std::string BuildPath;
  /// In place of a database: the compiler's command line, run in Directory (""
  /// is the current one); File is one of its inputs.
  std::vector<std::string> CommandLine;
  std::string Directory;
  bool NoCudaSdk = false; ///< use our own headers even where an SDK is found
  std::string CudaPath;   ///< of the SDK; "" = look for one
  std::string GpuArch = "sm_80";  ///< unless ClangArgs or the database name one
  std::string HipArch = "gfx906"; ///< the same for a HIP file
  OffloadRequest Offload;         ///< C and C++ files
};

/// Parses one file in this process; of CUDA and HIP the device side only. Text
/// of clang's diagnostics is appended to Diagnostics, warnings of a success
/// included. Errors: the file is missing or unreadable, no command for it in
/// the database, clang reported errors, or it is in another language.
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

/// The nearest architecture that this clang can compile for: Wanted itself, or
/// the newest one that is not newer ("sm_120" -> "sm_90a").
std::string supportedArch(const std::string &Wanted);

} // namespace gpuestimate

#endif
