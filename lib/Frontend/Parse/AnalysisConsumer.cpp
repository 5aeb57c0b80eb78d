/// \file
/// The AST consumer of plugin and command line. It records the events of
/// clang's parser and replays them to its own code generator when the file is
/// complete and has no errors. Until then the AST is not touched, so that the
/// main action is not affected.
#include "DeviceCodeConsumer.h"
#include "gpu-estimate/Frontend/Frontend.h"

#include "Frontend/Host/LaunchCollector.h"
#include "Frontend/Host/LibraryCalls.h"
#include "Frontend/Nests/NestCollector.h"
#include "Frontend/Source/Anchors.h"
#include "Frontend/Source/Annotations.h"
#include "Frontend/Source/Attributes.h"
#include "Frontend/Source/EditSites.h"
#include "Frontend/Source/Kernels.h"
#include "Frontend/Source/SourceFiles.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace gpuestimate {

TranslationUnit::TranslationUnit() = default;
TranslationUnit::~TranslationUnit() = default;
TranslationUnit::TranslationUnit(TranslationUnit &&) = default;
TranslationUnit &TranslationUnit::operator=(TranslationUnit &&Other) {
  // The old module must go before its context.
  Module = std::move(Other.Module);
  Context = std::move(Other.Context);
  PtxText = std::move(Other.PtxText);
  Kernels = std::move(Other.Kernels);
  NotEmitted = std::move(Other.NotEmitted);
  Launches = std::move(Other.Launches);
  Sequence = std::move(Other.Sequence);
  LibraryKernels = std::move(Other.LibraryKernels);
  NotModelled = std::move(Other.NotModelled);
  Nests = std::move(Other.Nests);
  Refused = std::move(Other.Refused);
  Anchors = std::move(Other.Anchors);
  Edits = std::move(Other.Edits);
  Constants = std::move(Other.Constants);
  UnusedAnnotations = std::move(Other.UnusedAnnotations);
  Host = Other.Host;
  MainFile = std::move(Other.MainFile);
  Files = std::move(Other.Files);
  Repaired = std::move(Other.Repaired);
  Arch = std::move(Other.Arch);
  DependsOnArch = Other.DependsOnArch;
  Hip = Other.Hip;
  Compiler = Other.Compiler;
  Nvcc = std::move(Other.Nvcc);
  MaxRegisters = Other.MaxRegisters;
  return *this;
}

void TranslationUnit::setCompiler(DeviceCompiler Named) {
  Compiler = Named;
  Module->setModuleFlag(llvm::Module::Override, "gpu-estimate.compiler",
                        static_cast<uint32_t>(Named));
}

namespace {

/// The user's options, changed so that the IR keeps as much of the source as
/// possible. They do not affect the main action.
clang::CodeGenOptions analysisOptions(const clang::CodeGenOptions &User,
                                      bool Host) {
  clang::CodeGenOptions Options = User;
  Options.OptimizationLevel = 3; // no optnone; TBAA and lifetime markers
  // Levels below -O2 do not unroll, but are analysed as -O3; an explicit
  // -fno-unroll-loops at -O2 and above is respected.
  Options.UnrollLoops |= User.OptimizationLevel < 2;
  Options.DisableLLVMPasses = true;
  Options.DisableLifetimeMarkers = false;
  Options.DisableO0ImplyOptNone = true;
  Options.setInlining(clang::CodeGenOptions::NormalInlining);
  // Outlining needs the variables of allocas from debug information.
  Options.setDebugInfo(Host ? llvm::codegenoptions::LimitedDebugInfo
                            : llvm::codegenoptions::DebugLineTablesOnly);
  Options.DebugColumnInfo = true;
  Options.DwarfVersion = 4;
  Options.DiscardValueNames = false;
  // Instrumentation would be charged to the kernel.
  Options.setProfileInstr(clang::CodeGenOptions::ProfileNone);
  Options.setProfileUse(clang::CodeGenOptions::ProfileNone);
  Options.CoverageMapping = false;
  Options.InstrumentFunctions = false;
  Options.CoverageNotesFile.clear();
  Options.CoverageDataFile.clear();
  return Options;
}

/// Is D a function of complex arithmetic that code generation calls by its name
/// for a product or a quotient, so that no expression of the source refers to
/// it (LLVM compiler-rt, lib/builtins)?
bool isCalledByCodeGeneration(const clang::FunctionDecl &D) {
  return D.getIdentifier() &&
         llvm::is_contained({"__mulsc3", "__muldc3", "__divsc3", "__divdc3"},
                            D.getName());
}

/// Is D an inline function that nothing refers to? Code generation would only
/// mangle its name, to find it should somebody ask; in a file that includes the
/// standard library this is half of the time that code generation takes. Valid
/// when the whole file is parsed.
bool isUnneeded(const clang::FunctionDecl &D) {
  return D.isInlined() && !D.isUsed() && !D.hasAttr<clang::CUDAGlobalAttr>() &&
         !isCalledByCodeGeneration(D);
}

/// Is D a constant that CUDA puts on the device unasked, and nothing refers to?
/// Every `constexpr` variable of the standard library is one.
bool isUnneeded(const clang::VarDecl &D) {
  const auto *Constant = D.getAttr<clang::CUDAConstantAttr>();
  return Constant && Constant->isImplicit() && !D.isUsed();
}

/// Hands D to a code generator, contexts declaration by declaration as the
/// generator itself takes them apart.
void emitNeeded(clang::ASTConsumer &Generator, clang::Decl *D) {
  if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(D)) {
    for (clang::Decl *Inner : llvm::cast<clang::DeclContext>(D)->decls())
      emitNeeded(Generator, Inner);
    return;
  }
  const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D);
  const auto *Variable = llvm::dyn_cast<clang::VarDecl>(D);
  if ((Function && isUnneeded(*Function)) ||
      (Variable && isUnneeded(*Variable)))
    return;
  Generator.HandleTopLevelDecl(clang::DeclGroupRef(D));
}

class AnalysisConsumer final : public clang::ASTConsumer {
public:
  /// FollowsHost: of CUDA and HIP, the launches of host code are wanted.
  AnalysisConsumer(clang::CompilerInstance &Compiler,
                   const OffloadRequest &Wanted, AnalysisCallback Callback,
                   AnalysisRunner Run, const std::atomic<bool> *Cancelled,
                   bool FollowsHost)
      : Compiler(Compiler), Wanted(Wanted), Callback(std::move(Callback)),
        Run(std::move(Run)), Cancelled(Cancelled), FollowsHost(FollowsHost) {}

  void Initialize(clang::ASTContext &Context) override {
    const clang::LangOptions &Language = Context.getLangOpts();
    Host = !Language.CUDA && !Language.HIP && !Language.ObjC &&
           !Language.OpenCL && !Language.HLSL && !Language.SYCLIsDevice;
    Device = Language.CUDAIsDevice;
    if (Host)
      Pragmas = collectLoopPragmas(Compiler.getPreprocessor());
    Skipped = collectSkipped(Compiler.getPreprocessor());
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    TopLevel.append(Group.begin(), Group.end());
    remember([Group](clang::ASTConsumer &C) {
      for (clang::Decl *D : Group)
        emitNeeded(C, D);
    });
    return !isCancelled();
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *D) override {
    remember([D](clang::ASTConsumer &C) {
      if (!isUnneeded(*D))
        C.HandleInlineFunctionDefinition(D);
    });
  }
  void HandleInterestingDecl(clang::DeclGroupRef Group) override {
    remember(
        [Group](clang::ASTConsumer &C) { C.HandleInterestingDecl(Group); });
  }
  void HandleTagDeclDefinition(clang::TagDecl *D) override {
    remember([D](clang::ASTConsumer &C) { C.HandleTagDeclDefinition(D); });
  }
  void HandleTagDeclRequiredDefinition(const clang::TagDecl *D) override {
    remember(
        [D](clang::ASTConsumer &C) { C.HandleTagDeclRequiredDefinition(D); });
  }
  void HandleCXXImplicitFunctionInstantiation(clang::FunctionDecl *D) override {
    remember([D](clang::ASTConsumer &C) {
      C.HandleCXXImplicitFunctionInstantiation(D);
    });
  }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *D) override {
    remember([D](clang::ASTConsumer &C) {
      if (!isUnneeded(*D))
        C.HandleCXXStaticMemberVarInstantiation(D);
    });
  }
  void CompleteTentativeDefinition(clang::VarDecl *D) override {
    remember([D](clang::ASTConsumer &C) { C.CompleteTentativeDefinition(D); });
  }
  void CompleteExternalDeclaration(clang::DeclaratorDecl *D) override {
    remember([D](clang::ASTConsumer &C) { C.CompleteExternalDeclaration(D); });
  }
  void HandleVTable(clang::CXXRecordDecl *D) override {
    remember([D](clang::ASTConsumer &C) { C.HandleVTable(D); });
  }

  void HandleTranslationUnit(clang::ASTContext &Context) override {
    clang::DiagnosticsEngine &Diags = Compiler.getDiagnostics();
    bool Nests = Host && (!Pragmas->Loops.empty() || !Wanted.Targets.empty() ||
                          Wanted.Propose);
    if ((!Device && !Nests) || Diags.hasErrorOccurred())
      return;
    Run([&] { analyse(Context); });
  }

private:
  bool isCancelled() const {
    return Cancelled && Cancelled->load(std::memory_order_relaxed);
  }

  void remember(std::function<void(clang::ASTConsumer &)> Event) {
    // The host side of CUDA is parsed with the plugin loaded as well.
    if (!Device && !Host)
      return;
    // Code generation reads declarations of precompiled headers when it needs
    // them.
    if (Replaying)
      return Event(*Replaying);
    Events.push_back(std::move(Event));
  }

  void analyse(clang::ASTContext &Context) {
    // Loops that are marked in OpenMP are wanted as loops; code generation for
    // -fopenmp-simd leaves them so. The main action has made its code by now.
    clang::LangOptions &Language = Compiler.getLangOpts();
    bool Simd = Language.OpenMPSimd, Errno = Language.MathErrno;
    auto Contract = Language.getDefaultFPContractMode();
    Language.OpenMPSimd = Simd || (Host && Language.OpenMP);
    if (Host) { // as device compilers do it, and DriverArguments.cpp says it
      Language.MathErrno = false;
      if (Contract == clang::LangOptions::FPM_On)
        Language.setDefaultFPContractMode(clang::LangOptions::FPM_Fast);
    }
    auto Restore = llvm::make_scope_exit([&] {
      Language.OpenMPSimd = Simd;
      Language.MathErrno = Errno;
      Language.setDefaultFPContractMode(Contract);
    });

    // The main action reports the diagnostics of code generation.
    clang::DiagnosticsEngine Silent(new clang::DiagnosticIDs,
                                    new clang::DiagnosticOptions,
                                    new clang::IgnoringDiagConsumer);
    Silent.setSourceManager(&Context.getSourceManager());

    TranslationUnit Unit;
    Unit.Context = std::make_unique<llvm::LLVMContext>();
    clang::CodeGenOptions Options =
        analysisOptions(Compiler.getCodeGenOpts(), Host);
    std::unique_ptr<clang::CodeGenerator> Generator(clang::CreateLLVMCodeGen(
        Silent, mainFileOf(Context.getSourceManager()),
        &Compiler.getVirtualFileSystem(), Compiler.getHeaderSearchOpts(),
        Compiler.getPreprocessorOpts(), Options, *Unit.Context));
    Generator->Initialize(Context);
    Replaying = Generator.get();
    for (const auto &Event : Events)
      if (!isCancelled())
        Event(*Generator);
    if (!isCancelled())
      Generator->HandleTranslationUnit(Context);
    Replaying = nullptr;
    if (isCancelled() ||
        !Generator->GetModule()) // an error that only code generation finds
      return;

    Unit.MainFile = mainFileOf(Context.getSourceManager());
    Unit.Files = filesRead(Compiler);
    Unit.Arch = Compiler.getTargetOpts().CPU;
    Unit.Hip = Context.getLangOpts().HIP;
    Unit.Host = Host;
    if (Host) {
      Unit.Arch.clear();
      collectLoopNests(*Generator, Context, TopLevel, *Pragmas, Wanted, Unit);
    } else {
      collectKernels(*Generator, Context, TopLevel, Unit);
    }
    if (!Host && FollowsHost) {
      std::vector<LibraryKernel> Library =
          collectLibraryCalls(*Generator, Context, TopLevel, Unit);
      collectLaunches(*Generator, Context, TopLevel, Library, Unit);
      collectEditSites(*Generator, Context, TopLevel, Unit);
    }
    collectAnchors(Context, TopLevel, Unit);
    collectAnnotations(Compiler.getPreprocessor(), Context, TopLevel, *Skipped,
                       Unit);
    Unit.Module.reset(Generator->ReleaseModule());
    Generator.reset();
    if (!Host)
      Unit.setCompiler(DeviceCompiler::Clang);
    // The -O level of the compile, for what imitates it (ptxas).
    if (unsigned Level = Compiler.getCodeGenOpts().OptimizationLevel)
      Unit.Module->addModuleFlag(llvm::Module::Override, "gpu-estimate.level",
                                 Level);
    Callback(std::move(Unit));
  }

  clang::CompilerInstance &Compiler;
  OffloadRequest Wanted;
  AnalysisCallback Callback;
  AnalysisRunner Run;
  const std::atomic<bool> *Cancelled;
  bool FollowsHost;
  bool Host = false, Device = false;
  std::shared_ptr<LoopPragmas> Pragmas; ///< of C and C++
  std::shared_ptr<SkippedRanges> Skipped;
  std::vector<std::function<void(clang::ASTConsumer &)>> Events;
  clang::ASTConsumer *Replaying = nullptr; ///< takes the events by now
  llvm::SmallVector<clang::Decl *, 0> TopLevel;
};

} // namespace

std::unique_ptr<clang::ASTConsumer>
createAnalysisConsumer(clang::CompilerInstance &Compiler,
                       const OffloadRequest &Wanted, AnalysisCallback Callback,
                       AnalysisRunner Run, const std::atomic<bool> *Cancelled) {
  registerAttributes();
  return std::make_unique<AnalysisConsumer>(
      Compiler, Wanted, std::move(Callback), std::move(Run), Cancelled,
      /*FollowsHost=*/true);
}

std::unique_ptr<clang::ASTConsumer>
createDeviceCodeConsumer(clang::CompilerInstance &Compiler,
                         AnalysisCallback Callback,
                         const std::atomic<bool> *Cancelled) {
  registerAttributes();
  return std::make_unique<AnalysisConsumer>(
      Compiler, OffloadRequest(), std::move(Callback),
      [](llvm::function_ref<void()> Analysis) { Analysis(); }, Cancelled,
      /*FollowsHost=*/false);
}

} // namespace gpuestimate
