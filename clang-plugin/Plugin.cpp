/// \file
/// The plugin `gpu_estimate`: arguments in, diagnostics out; the way between
/// is lib/Session.
///
///   clang++ -fplugin=lib/GpuEstimate.so
///           -fplugin-arg-gpu_estimate-gpu=nvidia-h200 -c kernel.cu
#include "DiagnosticTransport.h"
#include "PluginDiagnostics.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "gpu-estimate/Session/Pipeline/UnitAnalysis.h"
#include "gpu-estimate/Session/Settings/WantedLoops.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <csignal>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace gpuestimate;

/// The host side alone gives no device code. Only a compile to an object can
/// be told from one whose device side is another job of the same command.
bool isHostOnlyCompile(clang::CompilerInstance &Compiler) {
  const clang::LangOptions &Language = Compiler.getLangOpts();
  const clang::CodeGenOptions &CodeGen = Compiler.getCodeGenOpts();
  return Language.CUDA && !Language.CUDAIsDevice &&
         Compiler.getFrontendOpts().ProgramAction == clang::frontend::EmitObj &&
         CodeGen.CudaGpuBinaryFileName.empty() &&
         CodeGen.OffloadObjects.empty();
}

class GpuEstimateAction final : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &Compiler,
                    llvm::StringRef File) override {
    if (Unusable)
      return std::make_unique<clang::ASTConsumer>();
    if (isHostOnlyCompile(Compiler))
      emitRemark(Compiler,
                 "no estimate: only the host side is compiled; compile without "
                 "--cuda-host-only, or run 'gpu-estimate analyze' on the file");
    llvm::Expected<OffloadRequest> Loops = wantedLoops(Settings, File);
    if (!Loops) {
      emitUsageError(Compiler, llvm::toString(Loops.takeError()));
      return std::make_unique<clang::ASTConsumer>();
    }
    auto Findings = std::make_shared<PluginFindings>();
    return createAnalysisConsumer(
        Compiler, *Loops,
        [Findings, O = Settings](TranslationUnit &&Unit) {
          auto Found = analyzeForPlugin(std::move(Unit), O);
          if (Found)
            Findings->Diagnostics = std::move(*Found);
          else
            Findings->UsageError = llvm::toString(Found.takeError());
        },
        [Findings, &Compiler,
         O = Settings](llvm::function_ref<void()> Analysis) {
          runIsolated(Compiler, O, *Findings, Analysis);
        });
  }

  bool ParseArgs(const clang::CompilerInstance &Compiler,
                 const std::vector<std::string> &Args) override {
    auto &Mutable = const_cast<clang::CompilerInstance &>(Compiler);
    for (const std::string &Arg : Args)
      if (llvm::Error Problem = applyPluginArgument(Settings, Arg)) {
        complain(Mutable, std::move(Problem), Settings.KeepGoing);
        Unusable = true;
        return Settings.KeepGoing;
      }
    for (std::string &Group : silencedGroups(Mutable))
      Settings.Silenced.push_back(std::move(Group));
    for (std::string &Group : errorGroups(Mutable))
      Settings.Errors.push_back(std::move(Group));
    return true;
  }

  /// After the main action: its output is decided before we look at the AST.
  ActionType getActionType() override { return AddAfterMainAction; }

private:
  /// Runs Analysis, which fills Findings, in a copy of this process with limits
  /// on time and memory, and emits what it found. The compile sees nothing of
  /// what happens there.
  static void runIsolated(clang::CompilerInstance &Compiler, const Options &O,
                          PluginFindings &Findings,
                          llvm::function_ref<void()> Analysis) {
    ChildLimits Limits = pluginLimits(O, processCpuTime());
    tellWatcher('+');
    ChildResult Result = runInChild(
        [&] {
          WorkBudget Budget(withinChild(Limits));
          WorkScope Scope(Budget);
          Analysis();
          return writeFindings(Findings);
        },
        Limits);
    tellWatcher('-');
    if (Result.How != ChildResult::Finished)
      return fail(Compiler, O, whyFailed(Result, Limits));
    llvm::Expected<PluginFindings> Found = readFindings(Result.Output);
    if (!Found)
      return fail(Compiler, O, llvm::toString(Found.takeError()));
    if (!Found->UsageError.empty())
      return complain(Compiler, llvm::createStringError(Found->UsageError),
                      O.KeepGoing);
    emitDiagnostics(Compiler, Found->Diagnostics);
  }

  /// Tells `gpu-estimate cc`, if it started this compile, that the analysis
  /// begins ('+') or has ended ('-').
  static void tellWatcher(char What) {
    const char *Pipe = std::getenv("GPU_ESTIMATE_WATCH");
    int File = 0;
    struct stat Status{};
    if (!Pipe || llvm::StringRef(Pipe).getAsInteger(10, File) ||
        fstat(File, &Status) != 0 || !S_ISFIFO(Status.st_mode))
      return;
    std::string Line = What + std::to_string(getpid()) + "\n";
    auto *Before = std::signal(SIGPIPE, SIG_IGN); // nobody listens any more
    (void)!write(File, Line.data(), Line.size());
    std::signal(SIGPIPE, Before);
  }

  static std::string whyFailed(const ChildResult &Result,
                               const ChildLimits &Limits) {
    switch (Result.How) {
    case ChildResult::OutOfTime:
      return "it takes more than " + std::to_string(Limits.CpuTime.count()) +
             " ms of processor time (deadline)";
    case ChildResult::OutOfMemory:
      return "it takes more than " + std::to_string(Limits.MemoryBytes >> 20) +
             " MiB of memory (memory-limit)";
    case ChildResult::NotStarted:
      return "the system gave it no process";
    case ChildResult::Crashed:
      return Result.Signal
                 ? "it ended by signal " + std::to_string(Result.Signal)
                 : std::string("it ended the process");
    case ChildResult::Finished:
      break;
    }
    return "";
  }

  static void fail(clang::CompilerInstance &Compiler, const Options &O,
                   const std::string &Reason) {
    emitFileRemark(Compiler,
                   "gpu-estimate gives no estimate for this file: the analysis "
                   "failed, because " +
                       Reason + "; the compilation is not affected");
    clang::SourceManager &Sources = Compiler.getSourceManager();
    auto File = Sources.getFileEntryRefForID(Sources.getMainFileID());
    if (llvm::Error Problem =
            recordFailure(O, File ? File->getName() : "<stdin>",
                          "the analysis failed, because " + Reason))
      emitRemark(Compiler, llvm::toString(std::move(Problem)));
  }

  static void complain(clang::CompilerInstance &Compiler, llvm::Error Problem,
                       bool KeepGoing) {
    std::string Text = llvm::toString(std::move(Problem));
    if (KeepGoing)
      emitRemark(Compiler, "no estimate: " + Text);
    else
      emitUsageError(Compiler, Text);
  }

  Options Settings;
  bool Unusable = false; ///< an argument is wrong, and the compile goes on
};

clang::FrontendPluginRegistry::Add<GpuEstimateAction>
    Registration("gpu_estimate", "predicts the run time of GPU kernels");

} // namespace
