/// \file
/// The plugin `gpu_estimate`: arguments in, diagnostics out; the way between
/// is Driver's.
///
///   clang++ -fplugin=lib/GpuEstimate.so
///           -fplugin-arg-gpu_estimate-gpu=nvidia-h200 -c kernel.cu
#include "PluginDiagnostics.h"
#include "gpu-estimate/Driver/Driver.h"
#include "gpu-estimate/Driver/WantedLoops.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

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
    return createAnalysisConsumer(
        Compiler, *Loops, [&Compiler, O = Settings](TranslationUnit &&Unit) {
          auto Found = analyzeForPlugin(std::move(Unit), O);
          if (!Found)
            return complain(Compiler, Found.takeError(), O.KeepGoing);
          emitDiagnostics(Compiler, *Found);
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
