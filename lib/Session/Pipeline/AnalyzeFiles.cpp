#include "gpu-estimate/Session/Pipeline/AnalyzeFiles.h"

#include "SequenceTotals.h"
#include "Transfer.h"
#include "TritonSource.h"
#include "gpu-estimate/Frontend/PythonSources.h"
#include "gpu-estimate/Model/Result/Consistency.h"
#include "gpu-estimate/Model/Result/Notices.h"
#include "gpu-estimate/Session/Pipeline/ParseRequests.h"
#include "gpu-estimate/Session/Pipeline/UnitAnalysis.h"
#include "gpu-estimate/Support/Invariants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace gpuestimate {

void append(Analysis &Into, Analysis Part) {
  append_range(Into.Budgets, Part.Budgets);
  append_range(Into.SequenceTotals, Part.SequenceTotals);
  if (!Into.Sequence)
    Into.Sequence = std::move(Part.Sequence);
  append_range(Into.UsedSettings, Part.UsedSettings);
  append_range(Into.Errors, Part.Errors);
  Into.AllFindings |= Part.AllFindings;
  append_range(Into.Work, Part.Work);
  for (EditSite &Site : Part.Edits)
    if (none_of(Into.Edits, [&](const EditSite &Other) {
          return Other.Kind == Site.Kind && Other.Kernel == Site.Kernel &&
                 Other.Name == Site.Name;
        }))
      Into.Edits.push_back(std::move(Site));
  for (std::string &File : Part.Files)
    if (!is_contained(Into.Files, File))
      Into.Files.push_back(std::move(File));
  if (!Into.Compiler)
    Into.Compiler = Part.Compiler;
  Into.LibraryKernels.merge(Part.LibraryKernels);
  Into.Dump += Part.Dump;
  std::move(Part.Estimates.begin(), Part.Estimates.end(),
            std::back_inserter(Into.Estimates));
  std::move(Part.Comparisons.begin(), Part.Comparisons.end(),
            std::back_inserter(Into.Comparisons));
  for (Unresolved &U : Part.Unresolveds)
    if (none_of(Into.Unresolveds, [&](const Unresolved &Other) {
          return Other.Kernel == U.Kernel && Other.Location == U.Location &&
                 Other.Reason == U.Reason;
        }))
      Into.Unresolveds.push_back(std::move(U));
  for (Notice &N : Part.Notices)
    addNotice(Into.Notices, std::move(N));
}

namespace {

bool isGfx(StringRef Arch) { return Arch.starts_with("gfx"); }

/// GPUs that one parse may serve, in groups of one architecture each.
struct ArchGroup {
  std::string Arch;
  std::vector<GpuModel> Gpus;
};
struct UnitRun {
  std::vector<ArchGroup> Groups;
  const PythonSource *Embedded = nullptr; ///< null: the file itself
  std::vector<std::string> Diagnostics;   ///< of each parse
  std::optional<Expected<Analysis>> Result;
};

/// One file: its set-up and its units.
class FileRun {
public:
  FileRun(const Options &O, StringRef File, ArrayRef<std::string> Models,
          const Setup *Before)
      : File(File), Models(Models), S(prepareSetup(O, File, Before)) {}

  void start(ThreadPoolInterface &Pool);
  FileResult finish();
  /// Null where there is none; before finish().
  const Setup *setup() { return S ? &*S : nullptr; }

private:
  void addUnits(const PythonSource *Embedded);
  Error readPython();
  void run(UnitRun &Unit);
  void leaveOut(UnitRun &Unit, std::string Reason);
  Expected<Analysis> runGroups(UnitRun &Unit, bool OwnHeaders);
  Expected<Analysis> parseAndAnalyze(UnitRun &Unit, ArrayRef<ArchGroup> Groups,
                                     bool OwnHeaders, bool MayShare,
                                     bool &Shared);
  Expected<TranslationUnit> parseTriton(ParseRequest Request,
                                        const GpuModel &Gpu,
                                        std::string &Diagnostics);
  ptrdiff_t place(StringRef Gpu) const {
    return find_if(S->Gpus, [&](const GpuModel &G) { return G.Id == Gpu; }) -
           S->Gpus.begin();
  }
  /// nvcc comes with a ptxas.
  bool asksPtxas() const {
    return (!S->Opts.Nvcc.empty() && S->Opts.Nvcc != "off") ||
           (S->Opts.Ptxas != "off" &&
            (!S->Opts.Ptxas.empty() || sys::findProgramByName("ptxas")));
  }

  StringRef File;
  ArrayRef<std::string> Models;
  Expected<Setup> S;
  std::vector<PythonSource> Embedded;
  std::vector<UnitRun> Units;
};

} // namespace

void FileRun::start(ThreadPoolInterface &Pool) {
  if (!S)
    return;
  S->Details = S->Opts.Format != OutputFormat::Diagnostics;
  S->CompareModels = Models.vec();
  bool IsTriton = S->Opts.Triton.isGiven();
  if (IsTriton && !isPythonFile(File)) {
    S = make_error<UsageError>(File.str() +
                               ": --signature, --constexpr and --triton are "
                               "for a kernel of Triton in a file of Python");
    return;
  }
  if (isPythonFile(File) && !IsTriton) {
    if (Error E = readPython()) {
      S = std::move(E);
      return;
    }
    for (const PythonSource &Source : Embedded)
      addUnits(&Source);
  } else {
    addUnits(nullptr);
  }
  for (UnitRun &Unit : Units)
    Pool.async([this, &Unit] { run(Unit); });
}

/// Finds the CUDA in the strings of the file.
Error FileRun::readPython() {
  std::string Program;
  if (S->Opts.SourceText) {
    Program = *S->Opts.SourceText;
  } else if (auto Buffer = MemoryBuffer::getFile(File)) {
    Program = (*Buffer)->getBuffer().str();
  } else {
    return createStringError(File + ": " + Buffer.getError().message());
  }
  Embedded = cudaInPython(Program);
  if (Embedded.empty())
    return createStringError(
        File + ": no string constant has a kernel ('__global__')" +
        (StringRef(Program).contains("triton.jit")
             ? "; a kernel of Triton needs --kernel NAME and --signature TYPES"
             : ""));
  return Error::success();
}

/// Adds a source for all GPUs.
void FileRun::addUnits(const PythonSource *Source) {
  // Registers of compiled code are those of one architecture.
  auto MayShare = [&](StringRef Arch) {
    return !Models.empty() &&
           !(isGfx(Arch) ? S->Opts.MachineCode != "off" : asksPtxas());
  };
  for (const GpuModel &Gpu : S->Gpus) {
    std::string Arch = targetArch(S->Opts, Gpu);
    auto Same = [&](const ArchGroup &G) {
      return G.Arch == Arch &&
             (!S->Opts.Triton.isGiven() ||
              G.Gpus.front().ComputeCapability == Gpu.ComputeCapability);
    };
    auto Unit = find_if(Units, [&](const UnitRun &U) {
      return U.Embedded == Source &&
             (any_of(U.Groups, Same) ||
              (MayShare(Arch) && isGfx(U.Groups.front().Arch) == isGfx(Arch)));
    });
    if (Unit == Units.end()) {
      Unit = Units.insert(Units.end(), UnitRun());
      Unit->Embedded = Source;
    }
    auto Group = find_if(Unit->Groups, Same);
    if (Group == Unit->Groups.end())
      Group = Unit->Groups.insert(Group, {Arch, {}});
    Group->Gpus.push_back(Gpu);
  }
}

/// What clang is told of a source in a string of a Python file.
static void describeEmbedded(ParseRequest &Request,
                             const PythonSource &Source) {
  Request.Text = Source.Text;
  Request.BuildPath.clear();
  std::vector<std::string> Before = {"-x", "cuda"};
  // load_inline includes the headers of PyTorch before its sources.
  StringRef Text = Source.Text;
  if (Text.contains("torch::") || Text.contains("at::Tensor"))
    append_range(Before, ArrayRef<const char *>{"-include", "torch/types.h"});
  Request.ClangArgs.insert(Request.ClangArgs.begin(), Before.begin(),
                           Before.end());
}

/// Reads what Triton's compiler makes of a kernel of the file.
Expected<TranslationUnit> FileRun::parseTriton(ParseRequest Request,
                                               const GpuModel &Gpu,
                                               std::string &Diagnostics) {
  SmallString<128> Folder;
  if (std::error_code Problem =
          sys::fs::createUniqueDirectory("gpu-estimate-triton", Folder))
    return createStringError(Problem, "no temporary folder");
  auto Remove = make_scope_exit([&] { sys::fs::remove_directories(Folder); });
  Expected<std::string> Code =
      compileTriton(S->Opts, File, Gpu, Folder, Diagnostics);
  if (!Code)
    return Code.takeError();
  Request.File = *Code;
  Request.Text.reset();
  Expected<TranslationUnit> Unit = parse(Request, Diagnostics);
  if (!Unit)
    return Unit;
  // What is reported is of the user's file.
  Unit->MainFile = File.str();
  Unit->Files = {File.str()};
  for (LaunchSite &Site : Unit->Launches)
    Site.Location = Unit->Kernels.front().Location;
  return Unit;
}

/// Parses for the first group; analyses all where the code is the same.
Expected<Analysis> FileRun::parseAndAnalyze(UnitRun &Unit,
                                            ArrayRef<ArchGroup> Groups,
                                            bool OwnHeaders, bool MayShare,
                                            bool &Shared) {
  ParseRequest Request = parseRequest(S->Opts, File, Groups.front().Arch);
  Request.NoCudaSdk |= OwnHeaders;
  Request.ViaPtx = ptxByNvcc(S->Opts, Groups.front().Gpus.front());
  if (Unit.Embedded)
    describeEmbedded(Request, *Unit.Embedded);
  std::string &Diagnostics = Unit.Diagnostics.emplace_back();
  Expected<TranslationUnit> Parsed =
      S->Opts.Triton.isGiven()
          ? parseTriton(Request, Groups.front().Gpus.front(), Diagnostics)
          : parse(Request, Diagnostics);
  if (!Parsed)
    return Parsed.takeError();
  if (S->Opts.Cancelled && *S->Opts.Cancelled)
    return createStringError("cancelled");
  if (deviceFileKind(File) != DeviceFileKind::None &&
      isGfx(Groups.front().Arch) != Parsed->Hip)
    return make_error<UsageError>((File + ": this is code of " +
                                   (Parsed->Hip ? "AMD" : "NVIDIA") +
                                   "'s GPUs: name one with --gpu")
                                      .str());
  Shared = MayShare && !Parsed->DependsOnArch;
  std::vector<GpuModel> Gpus;
  for (const ArchGroup &G : Shared ? Groups : Groups.take_front())
    append_range(Gpus, G.Gpus);
  return analyze(std::move(*Parsed), *S, Gpus);
}

void FileRun::run(UnitRun &Unit) {
  // Code for the oldest architecture runs on the newer ones.
  stable_sort(Unit.Groups, [](const ArchGroup &A, const ArchGroup &B) {
    return std::pair(A.Arch.size(), A.Arch) < std::pair(B.Arch.size(), B.Arch);
  });
  // The headers of an SDK may differ between architectures, so a comparison
  // uses the headers of gpu-estimate unless the source needs the SDK.
  bool OwnHeaders = !Models.empty() && S->Opts.CudaPath.empty();
  if (Unit.Embedded && !Unit.Embedded->Missing.empty())
    return leaveOut(Unit, Unit.Embedded->Missing + ", which is not evaluated");
  Unit.Result = runGroups(Unit, OwnHeaders);
  if (OwnHeaders && !S->Opts.NoCudaSdk && *Unit.Result &&
      (*Unit.Result)->Comparisons.empty()) {
    Unit.Diagnostics.clear();
    Unit.Result = runGroups(Unit, /*OwnHeaders=*/false);
  }
  if (!Unit.Embedded || *Unit.Result || Unit.Result->errorIsA<UsageError>())
    return;
  std::string Reason = toString(Unit.Result->takeError());
  SmallVector<StringRef> Lines;
  StringRef(Unit.Diagnostics.back()).split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.contains("error: ")) {
      Reason += "; the first: " + Line.str();
      break;
    }
  leaveOut(Unit, std::move(Reason));
}

/// A source of a Python file without a result leaves the others worth
/// reporting.
void FileRun::leaveOut(UnitRun &Unit, std::string Reason) {
  Analysis Nothing;
  Nothing.Unresolveds.push_back(
      {"",
       "string of line " + std::to_string(Unit.Embedded->Line),
       {File.str(), Unit.Embedded->Line, 1},
       std::move(Reason)});
  Nothing.Files.push_back(File.str());
  Unit.Result = std::move(Nothing);
}

Expected<Analysis> FileRun::runGroups(UnitRun &Unit, bool OwnHeaders) {
  ArrayRef<ArchGroup> Rest = Unit.Groups;
  bool MayShare = Rest.size() > 1;
  Analysis All;
  while (!Rest.empty()) {
    bool Shared = false;
    Expected<Analysis> Part =
        parseAndAnalyze(Unit, Rest, OwnHeaders, MayShare, Shared);
    if (Part) {
      append(All, std::move(*Part));
      MayShare &= Shared;
      Rest = Shared ? ArrayRef<ArchGroup>() : Rest.drop_front();
      continue;
    }
    if (Models.empty() || Part.errorIsA<UsageError>())
      return Part;
    // The others are worth comparing.
    const std::string &Arch = Rest.front().Arch;
    All.Unresolveds.push_back(
        {"",
         File.str(),
         {File.str(), 1, 1},
         (Arch.empty() ? "" : Arch + ": ") + toString(Part.takeError())});
    Rest = Rest.drop_front();
  }
  return All;
}

FileResult FileRun::finish() {
  if (!S)
    return {S.takeError(), ""};
  FileResult All{Analysis(), ""};
  std::string Printed;
  for (UnitRun &Unit : Units) {
    // The second architecture mostly repeats the warnings of the first.
    for (std::string &Text : Unit.Diagnostics)
      if (Text != Printed) {
        All.Diagnostics += Text;
        Printed = std::move(Text);
      }
    if (*Unit.Result) {
      if (All.Result)
        append(*All.Result, std::move(**Unit.Result));
      continue;
    }
    if (All.Result)
      All.Result = Unit.Result->takeError();
    else
      consumeError(Unit.Result->takeError());
  }
  if (All.Result) // GPUs in the order in which they were named
    stable_sort(All.Result->Comparisons,
                [&](const ModelComparison &A, const ModelComparison &B) {
                  return place(A.Gpu) < place(B.Gpu);
                });
  return All;
}

/// Adds the total of each sequence to the last of the files whose kernels it
/// launches: the code of one module may be in several.
static void addSequenceTotals(ArrayRef<Analysis *> Done,
                              ArrayRef<const Setup *> Setups) {
  for (size_t Last = Done.size(); Last-- > 0;) {
    const LaunchSequence *Sequence = Done[Last]->Sequence.get();
    auto IsOf = [&](const Analysis *A) {
      return A->Sequence && A->Sequence->File == Sequence->File;
    };
    // A part of the kernels has no total.
    if (!Sequence || !Setups[Last]->Opts.KernelRegex.empty() ||
        any_of(Done.drop_front(Last + 1), IsOf))
      continue;
    std::vector<const Prediction *> Estimates;
    for (const Analysis *A : Done)
      if (IsOf(A))
        for (const ExplainedPrediction &E : A->Estimates)
          if (!E.Curve)
            Estimates.push_back(&E.Estimate);
    Done[Last]->SequenceTotals =
        sequenceTotals(*Sequence, Estimates, Setups[Last]->Gpus);
  }
}

std::vector<FileResult> analyzeFiles(const Options &O,
                                     ArrayRef<std::string> Models) {
  std::vector<std::unique_ptr<FileRun>> Runs;
  DefaultThreadPool Pool(hardware_concurrency());
  for (const std::string &File : O.Files) {
    const Setup *Before = Runs.empty() ? nullptr : Runs.back()->setup();
    Runs.push_back(std::make_unique<FileRun>(O, File, Models, Before));
    Runs.back()->start(Pool);
  }
  Pool.wait();
  std::vector<FileResult> Results;
  std::vector<const Setup *> Setups;
  std::vector<std::string> Analysed;
  for (auto &Run : Runs) {
    const Setup *S = Run->setup();
    Results.push_back(Run->finish());
    if (!Results.back().Result)
      continue;
    if (S->Opts.LaunchFile.Transfer)
      addTransfers(*Results.back().Result);
    Setups.push_back(S);
    Analysed.push_back(O.Files[Results.size() - 1]);
  }
  std::vector<Analysis *> Done;
  for (FileResult &File : Results)
    if (File.Result)
      Done.push_back(&*File.Result);
  addSequenceTotals(Done, Setups);
  std::vector<const Analysis *> Finished(Done.begin(), Done.end());
  if (!Done.empty())
    append_range(Done.back()->Notices,
                 unusedSettingNotices(Setups, Analysed, Finished));
  for (const Analysis *A : Finished)
    atBorder("analysis of a file", [&] { return checkTotals(*A); });
  if (Error E = wrongLaunch(Finished))
    find_if(Results, [&](FileResult &File) {
      return File.Result && &*File.Result == Done.front();
    })->Result = std::move(E);
  return Results;
}

} // namespace gpuestimate
