/// \file
/// Runs clang's driver and then its frontend in this process, for one file: its
/// device side, or plain C and C++ as they are.
#include "ArchMacros.h"
#include "CommandLine.h"
#include "Declarations.h"
#include "DeviceCodeConsumer.h"
#include "DeviceFile.h"
#include "DialectRepair.h"
#include "HeaderCache.h"
#include "LinkUnits.h"
#include "ViaPtx.h"
#include "gpu-estimate/Frontend/DeviceImage.h"
#include "gpu-estimate/Frontend/Sdk.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"

namespace gpuestimate {

namespace {

/// What a run of clang is to give.
enum class ParseGoal : uint8_t {
  Code,        ///< the module with all that is known of the source
  DeviceCode,  ///< the module without what host code tells
  Declarations ///< what the source says, despite errors, without a module
};

class AnalysisAction : public clang::ASTFrontendAction {
public:
  AnalysisAction(const ParseRequest &Request, ParseGoal Goal,
                 AnalysisCallback Callback)
      : Request(Request), Goal(Goal), Callback(std::move(Callback)) {}

  /// Valid once it has run.
  bool asksForArch() const { return DependsOnArch; }

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &Compiler,
                    llvm::StringRef) override {
    watchArchMacros(Compiler.getPreprocessor(), DependsOnArch);
    if (Goal == ParseGoal::Declarations)
      return createDeclarationConsumer(Compiler, Callback);
    if (Goal == ParseGoal::DeviceCode)
      return createDeviceCodeConsumer(Compiler, Callback, Request.Cancelled);
    return createAnalysisConsumer(
        Compiler, Request.Offload, Callback,
        [](llvm::function_ref<void()> Analysis) { Analysis(); },
        Request.Cancelled);
  }

private:
  const ParseRequest &Request;
  ParseGoal Goal;
  AnalysisCallback Callback;
  bool DependsOnArch = false;
};

/// Arguments of the first cc1 job, of CUDA and HIP on the device side; empty
/// when there is none.
llvm::opt::ArgStringList
analysisJob(const clang::driver::Compilation &Compilation, bool Host) {
  for (const clang::driver::Command &Job : Compilation.getJobs()) {
    const llvm::opt::ArgStringList &Args = Job.getArguments();
    auto isFlag = [](llvm::StringRef Flag) {
      return [Flag](const char *Arg) { return Flag == Arg; };
    };
    if (!Args.empty() && llvm::StringRef(Args[0]) == "-cc1" &&
        (Host || llvm::any_of(Args, isFlag("-fcuda-is-device"))))
      return Args;
  }
  return {};
}

llvm::Error failure(const std::string &File, llvm::StringRef Reason) {
  return llvm::createStringError((File + ": " + Reason).str());
}

/// Files, where File has other contents.
FileSystem withText(FileSystem Files, llvm::StringRef File,
                    llvm::StringRef Text) {
  auto Changed = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(Files);
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  llvm::SmallString<256> Path(File);
  Files->makeAbsolute(Path);
  Memory->addFile(Path, /*ModificationTime=*/0,
                  llvm::MemoryBuffer::getMemBufferCopy(Text, Path));
  Changed->pushOverlay(Memory);
  return Changed;
}

/// Does the folder of the process mean nothing to the headers of this request,
/// and are later requests like it likely?
bool isPlain(const ParseRequest &Request) {
  return Request.BuildPath.empty() && Request.CommandLine.empty() &&
         Request.ClangArgs.empty();
}

/// The arguments that decide what the headers before a source mean. IsPlain:
/// without those that only name the source and the folder of the process.
std::string commandWithoutSource(const llvm::opt::ArgStringList &Args,
                                 bool IsPlain) {
  std::string Text;
  llvm::ArrayRef<const char *> Before(Args);
  Before = Before.drop_back(); // the source
  for (size_t I = 0; I < Before.size(); ++I) {
    llvm::StringRef Arg = Before[I];
    if (Arg == "-main-file-name" || Arg == "-o")
      ++I;
    else if (IsPlain && (Arg.starts_with("-fdebug-compilation-dir=") ||
                         Arg.starts_with("-fcoverage-compilation-dir=") ||
                         Arg.starts_with("-cuid=")))
      continue;
    else
      Text += Arg.str() + '\n';
  }
  return Text;
}

constexpr llvm::StringLiteral NothingMarked =
    "no loop is marked for a GPU: write '#pragma gpu_estimate kernel' before a "
    "loop nest, or pass --offload FUNCTION[:LOOP] or --offload auto";
constexpr llvm::StringLiteral NoDeviceCode =
    "no device code could be generated";

/// What the command line says of the unit. Host: it is plain C.
void describe(TranslationUnit &Unit, const ParseRequest &Request,
              const CompileCommand &Command, bool Host) {
  if (Host)
    Unit.Arch = supportedArch(Request.GpuArch);
  else if (!Unit.Hip)
    Unit.setCompiler(deviceCompiler(Request, Command));
  Unit.MaxRegisters = Command.MaxRegisters;
}

/// Parses once. Repaired: files whose text clang would rather have, after
/// errors.
llvm::Expected<TranslationUnit>
runOnce(const ParseRequest &Request, const CompileCommand &Command,
        ParseGoal Goal, FileSystem Files, llvm::raw_ostream &OS,
        llvm::StringMap<std::string> &Repaired) {
  bool Host = false;
  std::vector<std::string> Args = driverArguments(Request, Command, Host);
  std::vector<const char *> Pointers;
  for (const std::string &Arg : Args)
    Pointers.push_back(Arg.c_str());
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> Options =
      clang::CreateAndPopulateDiagOpts(Pointers);
  clang::TextDiagnosticPrinter Printer(OS, &*Options);
  clang::DiagnosticsEngine Diags(new clang::DiagnosticIDs, Options, &Printer,
                                 /*ShouldOwnClient=*/false);
  clang::ProcessWarningOptions(Diags, *Options, /*ReportDiags=*/false);
  clang::driver::Driver Driver(Args[0], llvm::sys::getDefaultTargetTriple(),
                               Diags, "gpu-estimate", Files);
  std::unique_ptr<clang::driver::Compilation> Compilation(
      Driver.BuildCompilation(Pointers));
  if (!Compilation || Diags.hasErrorOccurred())
    return failure(Command.File, "clang does not accept the command line");
  llvm::opt::ArgStringList JobArgs = analysisJob(*Compilation, Host);
  if (JobArgs.empty())
    return failure(Command.File, "neither CUDA, HIP, C nor C++; '-- -x cuda' "
                                 "treats it as CUDA");

  auto Invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(
          *Invocation, llvm::ArrayRef(JobArgs).drop_front(), Diags,
          Args[0].c_str()))
    return failure(Command.File, "clang does not accept the command line");
  Invocation->getFrontendOpts().DisableFree = false;
  Options = &Invocation->getDiagnosticOpts();

  // The preamble is about the main file, which must then be in memory.
  std::shared_ptr<const PrecompiledHeaders> Headers;
  std::unique_ptr<llvm::MemoryBuffer> Source;
  if (Request.Headers && !Host && Goal != ParseGoal::Declarations)
    if (auto Read = Files->getBufferForFile(Command.File)) {
      Source = std::move(*Read);
      // Templates that the headers use are instantiated with them, once.
      Invocation->getLangOpts().PCHInstantiateTemplates = true;
      bool IsPlain = isPlain(Request);
      Headers = Request.Headers->headers(
          *Invocation, commandWithoutSource(JobArgs, IsPlain), Files, IsPlain);
      Invocation->getLangOpts().PCHInstantiateTemplates = Headers != nullptr;
    }
  if (Headers) {
    Invocation->getPreprocessorOpts().RetainRemappedFileBuffers = true;
    Headers->use(*Invocation, Files, Source.get());
  }

  std::optional<TranslationUnit> Unit;
  bool Succeeded = false;
  bool Survived = runGuarded([&] {
    clang::CompilerInstance Compiler;
    Compiler.setInvocation(Invocation);
    Compiler.setVerboseOutputStream(OS);
    RepairingPrinter FrontendPrinter(OS, &*Options);
    Compiler.createDiagnostics(&FrontendPrinter, /*ShouldOwnClient=*/false);
    Compiler.createFileManager(Files);
    AnalysisAction Action(Request, Goal, [&](TranslationUnit &&Result) {
      Unit = std::move(Result);
    });
    Succeeded = Compiler.ExecuteAction(Action);
    Repaired = FrontendPrinter.repairedFiles();
    if (Unit) // what precompiled headers ask is not known
      Unit->DependsOnArch = Action.asksForArch() || Headers;
  });
  if (!Survived)
    return failure(Command.File, "clang crashed while parsing");
  if (Goal == ParseGoal::Declarations && Unit)
    return std::move(*Unit);
  if (!Succeeded)
    return failure(Command.File, "clang reported errors");
  if (!Unit)
    return failure(Command.File, Host ? NothingMarked : NoDeviceCode);
  describe(*Unit, Request, Command, Host);
  return std::move(*Unit);
}

/// How often a source is parsed with further repairs. An error hides those
/// behind it, so that one parse does not find all constructs to repair.
constexpr unsigned MaxRepairs = 8;

llvm::Expected<TranslationUnit> run(const ParseRequest &Request,
                                    const CompileCommand &Command,
                                    ParseGoal Goal, llvm::raw_ostream &OS) {
  FileSystem Files = llvm::vfs::createPhysicalFileSystem();
  if (!Command.Directory.empty() &&
      Files->setCurrentWorkingDirectory(Command.Directory))
    return failure(Command.File, "cannot enter directory " + Command.Directory);
  if (Request.Text)
    Files = withText(Files, Command.File, *Request.Text);
  std::string FirstText;
  llvm::StringMap<std::string> AllRepaired;
  for (unsigned Repairs = 0;; ++Repairs) {
    llvm::StringMap<std::string> Repaired;
    std::string Text;
    llvm::raw_string_ostream Stream(Text);
    auto Unit = runOnce(Request, Command, Goal, Files, Stream, Repaired);
    if (Repairs == 0)
      FirstText = Text;
    if ((Unit && Goal != ParseGoal::Declarations) || Repaired.empty() ||
        Repairs == MaxRepairs) {
      // An error in what a repair has written would puzzle its reader.
      bool IsOurs = llvm::StringRef(Text).contains("gpu_estimate_");
      OS << (!Unit && IsOurs ? FirstText : Text);
      if (Unit)
        Unit->Repaired = std::move(AllRepaired);
      return Unit;
    }
    llvm::consumeError(Unit.takeError());
    for (const auto &File : Repaired) {
      Files = withText(Files, File.first(), File.second);
      AllRepaired[File.first()] = File.second;
    }
  }
}

/// The command by which the request's file is compiled.
llvm::Expected<CompileCommand> commandOf(const ParseRequest &Request) {
  CompileCommand Command;
  Command.File = Request.File;
  if (!Request.BuildPath.empty()) {
    auto Found = findCompileCommand(Request.BuildPath, Request.File);
    if (!Found)
      return Found.takeError();
    Command = std::move(*Found);
  } else if (!Request.CommandLine.empty()) {
    llvm::SmallString<256> Current(Request.Directory);
    if (Current.empty())
      llvm::sys::fs::current_path(Current);
    Command = reduceCommand(Request.CommandLine, Current, Request.File);
  }
  for (std::string &Arg :
       translateMixedArgs(Request.ClangArgs, Command.MaxRegisters))
    Command.Args.push_back(std::move(Arg));
  llvm::append_range(Command.NvccArgs, mixedArgsForPtx(Request.ClangArgs));
  return Command;
}

} // namespace

llvm::Expected<std::vector<std::string>>
hostCompileCommand(const ParseRequest &Request, llvm::StringRef DeviceImage) {
  llvm::Expected<CompileCommand> Command = commandOf(Request);
  if (!Command)
    return Command.takeError();
  return hostArguments(Request, *Command, DeviceImage);
}

/// Is the device code that of the file on disk with the headers of an SDK?
static bool hasNvccCommand(const ParseRequest &Request,
                           const CompileCommand &Command) {
  return !Request.NoCudaSdk && !Request.Text && Request.Linked.empty() &&
         !choosesHeaders(Command.Args);
}

/// Parses the command's file for clang's code: as nvcc shows itself, as clang
/// does, and with the headers of gpu-estimate.
static llvm::Expected<TranslationUnit>
parseByClang(const ParseRequest &Request, const CompileCommand &Command,
             ParseGoal Goal, std::string &Diagnostics) {
  auto attempt = [&](const ParseRequest &How, std::string &Text) {
    llvm::raw_string_ostream OS(Text);
    auto Unit = run(How, Command, Goal, OS);
    if (Unit && Unit->Compiler == DeviceCompiler::Nvcc &&
        hasNvccCommand(Request, Command))
      Unit->Nvcc = {Command.NvccArgs, Command.Directory, Command.File};
    return Unit;
  };
  std::string FirstText;
  auto First = attempt(Request, FirstText);
  if (First || FirstText.empty() || !isCuda(Request, Command)) {
    Diagnostics += FirstText;
    return First;
  }
  // A source that knows nvcc and clang may use extensions of nvcc's front end.
  if (!Request.HidesNvcc &&
      deviceCompiler(Request, Command) == DeviceCompiler::Nvcc) {
    ParseRequest Hidden = Request;
    Hidden.HidesNvcc = true;
    std::string HiddenText;
    if (auto Unit = attempt(Hidden, HiddenText)) {
      llvm::consumeError(First.takeError());
      Diagnostics += HiddenText;
      return Unit;
    } else {
      llvm::consumeError(Unit.takeError());
    }
  }
  // Sources older than the SDK call what it has dropped. Our own headers keep
  // that; but an SDK that the user names is not replaced.
  if (Request.NoCudaSdk || !Request.CudaPath.empty() || !findCudaSdk("")) {
    Diagnostics += FirstText;
    return First;
  }
  ParseRequest Own = Request;
  Own.NoCudaSdk = true;
  std::string SecondText;
  auto Second = attempt(Own, SecondText);
  if (!Second) {
    llvm::consumeError(Second.takeError());
    Diagnostics += FirstText;
    return First;
  }
  llvm::consumeError(First.takeError());
  Diagnostics += Request.File +
                 ": remark: parsed with the headers of "
                 "gpu-estimate, because the CUDA SDK in " +
                 findCudaSdk("")->Path + " does not accept it\n" + SecondText;
  return Second;
}

/// The first error in clang's messages, without its source line.
static llvm::StringRef firstError(llvm::StringRef Diagnostics) {
  llvm::SmallVector<llvm::StringRef> Lines;
  Diagnostics.split(Lines, '\n');
  for (llvm::StringRef Line : Lines)
    if (Line.contains("error: "))
      return Line;
  return "";
}

/// What to do about an error in, or about, a header of a library that only an
/// SDK's headers are enough for; empty for other errors.
static std::string adviceOnSdk(const ParseRequest &Request,
                               llvm::StringRef Error) {
  static constexpr llvm::StringLiteral Libraries[] = {"thrust/", "cub/",
                                                      "cuda/std/", "cccl/"};
  if (llvm::none_of(Libraries, [&](llvm::StringRef Folder) {
        return Error.contains(Folder);
      }))
    return "";
  bool IsThere = findCudaSdk(Request.CudaPath).has_value();
  if (IsThere && !Request.NoCudaSdk)
    return "";
  return "; it uses CUB, Thrust or libcu++, and their headers need a CUDA "
         "SDK: " +
         std::string(IsThere ? "leave out --no-cuda-sdk"
                             : "'gpu-estimate doctor' says how to get one "
                               "without root");
}

/// Takes nvcc's code, and of clang what the source declares.
static llvm::Expected<TranslationUnit>
parseViaPtx(const ParseRequest &Request, const CompileCommand &Command) {
  return readViaPtx(Request, Command, [&]() -> std::optional<TranslationUnit> {
    CompileCommand All = Command;
    All.Args.push_back("-ferror-limit=0");
    llvm::Expected<TranslationUnit> Unit =
        run(Request, All, ParseGoal::Declarations, llvm::nulls());
    if (Unit)
      return std::move(*Unit);
    llvm::consumeError(Unit.takeError());
    return std::nullopt;
  });
}

/// Parses Request.File without what is linked to it.
static llvm::Expected<TranslationUnit> parseAlone(const ParseRequest &Request,
                                                  ParseGoal Goal,
                                                  std::string &Diagnostics) {
  if (deviceFileKind(Request.File) != DeviceFileKind::None)
    return readDeviceFile(Request, Diagnostics);
  if (!Request.NoCudaSdk && !Request.CudaPath.empty() &&
      !findCudaSdk(Request.CudaPath))
    return llvm::createStringError("no CUDA SDK of version 11 or newer in %s",
                                   Request.CudaPath.c_str());
  llvm::Expected<CompileCommand> Reduced = commandOf(Request);
  if (!Reduced)
    return Reduced.takeError();
  const CompileCommand &Command = *Reduced;
  bool MayBePtx = Request.ViaPtx && isCuda(Request, Command) &&
                  hasNvccCommand(Request, Command);
  if (MayBePtx && Request.ViaPtx->IsAlways) {
    auto Unit = parseViaPtx(Request, Command);
    if (!Unit)
      return failure(Command.File, llvm::toString(Unit.takeError()));
    return Unit;
  }
  std::string Text;
  auto Unit = parseByClang(Request, Command, Goal, Text);
  llvm::StringRef FirstError = firstError(Text);
  if (Unit || !MayBePtx || FirstError.empty()) {
    Diagnostics += Text;
    if (std::string Advice = adviceOnSdk(Request, FirstError);
        !Unit && !Advice.empty())
      return llvm::createStringError(llvm::toString(Unit.takeError()) + Advice);
    return Unit;
  }
  auto FromPtx = parseViaPtx(Request, Command);
  if (!FromPtx) {
    Diagnostics += Text;
    return llvm::createStringError(llvm::toString(Unit.takeError()) + "; " +
                                   llvm::toString(FromPtx.takeError()));
  }
  llvm::consumeError(Unit.takeError());
  Diagnostics += Request.File +
                 ": remark: its kernels are analysed as PTX of nvcc, because "
                 "clang refuses the source: " +
                 FirstError.str() + "\n";
  return FromPtx;
}

llvm::Expected<TranslationUnit> parseDeviceCode(const ParseRequest &Request,
                                                std::string &Diagnostics) {
  return parseAlone(Request, ParseGoal::DeviceCode, Diagnostics);
}

llvm::Expected<TranslationUnit> parse(const ParseRequest &Request,
                                      std::string &Diagnostics) {
  llvm::Expected<TranslationUnit> Unit =
      parseAlone(Request, ParseGoal::Code, Diagnostics);
  for (const std::string &File : Request.Linked) {
    if (!Unit)
      break;
    ParseRequest Other = Request;
    Other.File = File;
    Other.Text.reset();
    llvm::Expected<TranslationUnit> Linked =
        parseAlone(Other, ParseGoal::Code, Diagnostics);
    if (!Linked)
      return Linked.takeError();
    if (llvm::Error E = linkDeviceCode(*Unit, std::move(*Linked)))
      return failure(File, "cannot be linked to " + Request.File + ": " +
                               llvm::toString(std::move(E)));
  }
  return Unit;
}

} // namespace gpuestimate
