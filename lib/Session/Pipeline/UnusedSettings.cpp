/// \file
/// Files that configuration entries apply to, and settings without effect.
#include "gpu-estimate/Session/Pipeline/Setup.h"
#include "gpu-estimate/Session/Plan/RecordedPlans.h"
#include "gpu-estimate/Session/Settings/WantedLoops.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuestimate {

std::string spell(const SourceLocation &Place) {
  return Place.File + ":" + std::to_string(Place.Line) + ":" +
         std::to_string(Place.Column);
}

static std::string absolute(StringRef File) {
  SmallString<128> Path(File);
  sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

static std::string folderOf(const Config &C) {
  return sys::path::parent_path(absolute(C.File)).str();
}

bool isAboutFile(const ConfigEntry &Entry, const Config &C,
                 StringRef SourceFile) {
  if (Entry.FileGlob.empty())
    return true;
  Expected<GlobPattern> Glob = GlobPattern::create(Entry.FileGlob);
  if (!Glob) { // loadConfig has refused it
    consumeError(Glob.takeError());
    return false;
  }
  std::string Path = absolute(SourceFile), Folder = folderOf(C);
  StringRef Relative(Path);
  if (!StringRef(Entry.FileGlob).contains('/'))
    Relative = sys::path::filename(Relative);
  else if (Relative.consume_front(Folder))
    Relative = Relative.ltrim('/');
  return Glob->match(Relative);
}

Options merge(Options Given, const Options &From) {
  auto Complete = [](auto &Target, const auto &Source) {
    if (!Target)
      Target = Source;
  };
  if (Given.Gpus.empty())
    Given.Gpus = From.Gpus;
  Complete(Given.Model, From.Model);
  Complete(Given.Caches, From.Caches);
  Complete(Given.Timing, From.Timing);
  Complete(Given.L1Hit, From.L1Hit);
  Complete(Given.L2Hit, From.L2Hit);
  Complete(Given.Divisions, From.Divisions);
  Complete(Given.Registers, From.Registers);
  Complete(Given.Deadline, From.Deadline);
  Complete(Given.MemoryLimit, From.MemoryLimit);
  if (Given.MachineCode.empty())
    Given.MachineCode = From.MachineCode;
  if (Given.Ptxas.empty())
    Given.Ptxas = From.Ptxas;
  if (Given.Nvcc.empty())
    Given.Nvcc = From.Nvcc;
  if (Given.ViaPtx.empty())
    Given.ViaPtx = From.ViaPtx;
  Complete(Given.Compiler, From.Compiler);
  // The command line's overrides are applied after the file's and win.
  Given.GpuOverrides.insert(Given.GpuOverrides.begin(),
                            From.GpuOverrides.begin(), From.GpuOverrides.end());
  append_range(Given.Without, From.Without);
  for (const IndexPattern &Pattern : From.Patterns)
    if (none_of(Given.Patterns, [&](const IndexPattern &P) {
          return P.Place == Pattern.Place;
        }))
      Given.Patterns.push_back(Pattern);
  if (Given.Offload.Targets.empty() && !Given.Offload.Propose)
    Given.Offload = From.Offload;
  Given.AssumeIndependent |= From.AssumeIndependent;
  Given.AllFindings |= From.AllFindings;
  if (Given.Against.empty())
    Given.Against = From.Against;
  append_range(Given.Silenced, From.Silenced);
  append_range(Given.Errors, From.Errors);
  return Given;
}

Expected<OffloadRequest> wantedLoops(const Options &O, StringRef SourceFile) {
  std::string File =
      O.ConfigFile.empty() ? findConfig(SourceFile) : O.ConfigFile;
  if (File.empty())
    return O.Offload;
  Expected<Config> Project = loadConfig(File);
  if (!Project)
    return Project.takeError();
  return merge(O, Project->Values).Offload;
}

namespace {

/// The source files of a run, and those that a configuration entry applies to.
class Coverage {
public:
  Coverage(const Config &C, ArrayRef<std::string> Analysed) : C(C) {
    Extensions.insert(".cu");
    Extensions.insert(".hip");
    for (const std::string &File : Analysed) {
      Seen.insert(absolute(File));
      Extensions.insert(sys::path::extension(File));
    }
  }

  /// No file is left that could hold the entry's kernels.
  bool isWhole(const ConfigEntry &Entry) {
    if (!Listed)
      list();
    return Complete && none_of(Unseen, [&](const std::string &File) {
             return isAboutFile(Entry, C, File);
           });
  }

private:
  void list();

  const Config &C;
  StringSet<> Seen, Extensions;
  std::vector<std::string> Unseen;
  bool Listed = false;
  bool Complete = true; ///< the folder was not too large to look through
};

} // namespace

void Coverage::list() {
  constexpr unsigned MostPlaces = 20000;
  Listed = true;
  std::error_code Problem;
  unsigned Count = 0;
  for (sys::fs::recursive_directory_iterator At(folderOf(C), Problem,
                                                /*follow_symlinks=*/false),
       End;
       At != End && !Problem; At.increment(Problem)) {
    if (++Count > MostPlaces) {
      Complete = false;
      return;
    }
    const std::string &Path = At->path();
    if (At->type() == sys::fs::file_type::directory_file) {
      if (sys::path::filename(Path).starts_with("."))
        At.no_push();
    } else if (Extensions.contains(sys::path::extension(Path)) &&
               !Seen.contains(absolute(Path))) {
      Unseen.push_back(Path);
    }
  }
}

std::vector<Notice> unusedSettings(const Config &C,
                                   ArrayRef<std::string> Analysed,
                                   ArrayRef<std::string> Used) {
  std::vector<Notice> Notices;
  Coverage Run(C, Analysed);
  auto IsUsed = [&](const SourceLocation &Place) {
    return is_contained(Used, spell(Place));
  };
  auto Names = [&](const Options &Values, const NamePlaces &Places,
                   const ConfigEntry &Entry) {
    auto Name = [&](StringRef Key, StringRef What) {
      auto At = Places.find(Key);
      if (At != Places.end() && !IsUsed(At->second) && Run.isWhole(Entry))
        Notices.push_back({At->second, "'" + Key.str() + "' " + What.str()});
    };
    for (const auto &[Key, Value] : Values.Parameters)
      Name(Key, "is not the name of an argument or unknown of these kernels");
    for (const IndexPattern &P : Values.Patterns)
      Name(P.name(), "is not the location of an index that these kernels load");
  };
  for (const ConfigEntry &Entry : C.Kernels) {
    if (IsUsed(Entry.Place))
      Names(Entry.Values, Entry.Places, Entry);
    else if (Run.isWhole(Entry))
      Notices.push_back(
          {Entry.Place,
           "this entry matches no kernel" +
               (Entry.FileGlob.empty() ? "" : " of " + Entry.FileGlob) + ": '" +
               Entry.KernelRegex + "'"});
  }
  Names(C.Values, C.Places, ConfigEntry());
  return Notices;
}

/// Budgets of the options that no kernel or no GPU has.
static void unusedBudgetNotices(ArrayRef<const Setup *> Setups,
                                ArrayRef<const Analysis *> Results,
                                std::vector<Notice> &Notices) {
  for (const Budget &B : Setups.front()->Given.Budgets) {
    auto Matches = [&](const auto &Kernel) {
      return B.KernelRegex.empty() ||
             matchesKernel(B.KernelRegex, Kernel.Kernel, Kernel.Name);
    };
    if (none_of(Results, [&](const Analysis *A) {
          return any_of(A->Unresolveds, Matches) ||
                 any_of(A->Estimates, [&](const ExplainedPrediction &E) {
                   return Matches(E.Estimate);
                 });
        }))
      Notices.push_back({SourceLocation(), "--budget: no analysed kernel is "
                                           "called '" +
                                               B.KernelRegex + "'"});
    if (none_of(Setups, [&](const Setup *S) {
          return any_of(S->Gpus,
                        [&](const GpuModel &Gpu) { return B.isFor(Gpu.Id); });
        }))
      Notices.push_back({SourceLocation(), "--budget: no analysed GPU is "
                                           "called '" +
                                               B.Gpu + "'"});
  }
}

/// Kernels of the file of launches that are none of the input.
static void unmatchedLaunchNotice(const LaunchFile &File,
                                  ArrayRef<std::string> Used,
                                  std::vector<Notice> &Notices) {
  struct Unmatched {
    StringRef Kernel;
    double Launches = 0;
  };
  std::vector<Unmatched> Kernels;
  Seconds All, Missing;
  for (const RecordedLaunch &L : File.Launches) {
    All += L.total();
    if (is_contained(Used, recordedKey(L.Kernel)))
      continue;
    Missing += L.total();
    auto Same = find_if(
        Kernels, [&](const Unmatched &U) { return U.Kernel == L.Kernel; });
    if (Same == Kernels.end())
      Same = Kernels.insert(Same, {L.Kernel});
    Same->Launches += L.Count;
  }
  if (Kernels.empty())
    return;
  constexpr size_t MaxNames = 8;
  std::string Text = File.File + ": " + std::to_string(Kernels.size()) +
                     (Kernels.size() == 1 ? " kernel is" : " kernels are") +
                     " not in this input";
  if (All > Seconds())
    Text += " (" + formatPercent(Missing / All) + " of the measured time)";
  ListSeparator Comma(", ");
  Text += ": ";
  for (const Unmatched &U : ArrayRef(Kernels).take_front(MaxNames))
    Text +=
        (StringRef(Comma) + "'" + U.Kernel + "' x " + formatCount(U.Launches))
            .str();
  if (Kernels.size() > MaxNames)
    Text += " and " + std::to_string(Kernels.size() - MaxNames) + " more";
  Notices.push_back({SourceLocation(), std::move(Text)});
}

std::vector<Notice> unusedSettingNotices(ArrayRef<const Setup *> Setups,
                                         ArrayRef<std::string> Analysed,
                                         ArrayRef<const Analysis *> Results) {
  std::vector<Notice> Notices;
  if (Setups.empty())
    return Notices;
  unusedBudgetNotices(Setups, Results, Notices);
  // Where kernels were left out, what is said of them cannot be judged.
  if (!Setups.front()->Given.KernelRegex.empty())
    return Notices;
  std::vector<std::string> Used;
  for (const Analysis *A : Results)
    append_range(Used, A->UsedSettings);
  if (Setups.front()->Launches)
    unmatchedLaunchNotice(*Setups.front()->Launches, Used, Notices);
  StringSet<> Seen;
  for (const Setup *S : Setups)
    if (!S->Project.File.empty() && Seen.insert(S->Project.File).second)
      append_range(Notices, unusedSettings(S->Project, Analysed, Used));
  return Notices;
}

} // namespace gpuestimate
