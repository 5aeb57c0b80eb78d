#include "gpu-estimate/Session/Pipeline/AnalyzeFiles.h"

#include "gpu-estimate/Session/Pipeline/ParseRequests.h"
#include "gpu-estimate/Session/Pipeline/UnitAnalysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace gpuestimate {

void append(Analysis &Into, Analysis Part) {
  append_range(Into.Budgets, Part.Budgets);
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
    if (none_of(Into.Notices, [&](const Notice &Other) {
          return Other.Text == N.Text && Other.Location == N.Location;
        }))
      Into.Notices.push_back(std::move(N));
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
  std::vector<std::string> Diagnostics; ///< of each parse
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
  void run(UnitRun &Unit);
  Expected<Analysis> runGroups(UnitRun &Unit, bool OwnHeaders);
  Expected<Analysis> parseAndAnalyze(UnitRun &Unit, ArrayRef<ArchGroup> Groups,
                                     bool OwnHeaders, bool MayShare,
                                     bool &Shared);
  ptrdiff_t place(StringRef Gpu) const {
    return find_if(S->Gpus, [&](const GpuModel &G) { return G.Id == Gpu; }) -
           S->Gpus.begin();
  }
  bool asksPtxas() const {
    return S->Opts.Ptxas != "off" &&
           (!S->Opts.Ptxas.empty() || sys::findProgramByName("ptxas"));
  }

  StringRef File;
  ArrayRef<std::string> Models;
  Expected<Setup> S;
  std::vector<UnitRun> Units;
};

} // namespace

void FileRun::start(ThreadPoolInterface &Pool) {
  if (!S)
    return;
  S->Details = S->Opts.Format != OutputFormat::Diagnostics;
  S->CompareModels = Models.vec();
  // Registers of compiled code are those of one architecture.
  auto MayShare = [&](StringRef Arch) {
    return !Models.empty() &&
           !(isGfx(Arch) ? S->Opts.MachineCode != "off" : asksPtxas());
  };
  for (const GpuModel &Gpu : S->Gpus) {
    std::string Arch = targetArch(S->Opts, Gpu);
    auto Same = [&](const ArchGroup &G) { return G.Arch == Arch; };
    auto Unit = find_if(Units, [&](const UnitRun &U) {
      return any_of(U.Groups, Same) ||
             (MayShare(Arch) && isGfx(U.Groups.front().Arch) == isGfx(Arch));
    });
    if (Unit == Units.end())
      Unit = Units.insert(Units.end(), UnitRun());
    auto Group = find_if(Unit->Groups, Same);
    if (Group == Unit->Groups.end())
      Group = Unit->Groups.insert(Group, {Arch, {}});
    Group->Gpus.push_back(Gpu);
  }
  for (UnitRun &Unit : Units)
    Pool.async([this, &Unit] { run(Unit); });
}

/// Parses for the first group; analyses all where the code is the same.
Expected<Analysis> FileRun::parseAndAnalyze(UnitRun &Unit,
                                            ArrayRef<ArchGroup> Groups,
                                            bool OwnHeaders, bool MayShare,
                                            bool &Shared) {
  ParseRequest Request = parseRequest(S->Opts, File, Groups.front().Arch);
  Request.NoCudaSdk |= OwnHeaders;
  std::string &Diagnostics = Unit.Diagnostics.emplace_back();
  Expected<TranslationUnit> Parsed = parse(Request, Diagnostics);
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
  Unit.Result = runGroups(Unit, OwnHeaders);
  if (OwnHeaders && !S->Opts.NoCudaSdk && *Unit.Result &&
      (*Unit.Result)->Comparisons.empty()) {
    Unit.Diagnostics.clear();
    Unit.Result = runGroups(Unit, /*OwnHeaders=*/false);
  }
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
    Setups.push_back(S);
    Analysed.push_back(O.Files[Results.size() - 1]);
  }
  std::vector<const Analysis *> Done;
  Analysis *Last = nullptr;
  for (FileResult &File : Results)
    if (File.Result)
      Done.push_back(Last = &*File.Result);
  if (Last)
    append_range(Last->Notices, unusedSettingNotices(Setups, Analysed, Done));
  return Results;
}

} // namespace gpuestimate
