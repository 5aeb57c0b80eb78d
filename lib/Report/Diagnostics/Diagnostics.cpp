/// \file
/// Selects the findings of an analysis that become diagnostics, and words them.
#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"

#include "Report/Text/TargetComparisonText.h"
#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Report/Text/Text.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cassert>
#include <cmath>
#include <map>
#include <set>

using namespace llvm;

namespace gpuestimate {

namespace {

/// Thresholds of the conditions in diagnosticTable().
constexpr double FewLanes = 0.75; ///< of a warp's
constexpr double DivergenceShare = 0.1;
/// Smallest sensitivity of the time for which an assumption becomes a note; the
/// report lists all.
constexpr double NotedSensitivity = 0.01;
/// Largest number of kernels or functions that one diagnostic names.
constexpr size_t MaxNames = 4;

/// Launches that are reported together: those of one kernel, or of the
/// instantiations of one template, on one GPU.
using EstimateGroup = std::vector<const ExplainedPrediction *>;

/// Findings of one place and group, of which one is said.
struct FindingGroup {
  const ExplainedPrediction *Estimate;
  const Finding *Said;
  std::set<StringRef> Kernels;
  unsigned Launches = 0;
  std::vector<SourceLocation> Others; ///< of data-dependent accesses
};

/// The kernels that one function of a library leads to.
struct LibraryUse {
  std::string Function;
  SourceLocation Location; ///< of the first call
  std::set<StringRef> Kernels;
  EstimateGroup Known;    ///< estimates of known launches
  bool IsComplete = true; ///< no launch has a table in place of a time
};

class Collector {
public:
  Collector(const Analysis &A, ArrayRef<std::string> Silenced)
      : A(A), Silenced(Silenced) {}

  /// Begins a kernel for which further groups are silenced.
  void enter(ArrayRef<std::string> SilencedHere, StringRef Mangled) {
    Here = SilencedHere;
    Function = Mangled;
  }

  bool wants(DiagnosticGroup Group) const {
    return !containsGroup(Silenced, Group) && !containsGroup(Here, Group);
  }
  bool isError(DiagnosticGroup Group) const {
    return containsGroup(A.Errors, Group);
  }

  Diagnostic *add(DiagnosticGroup Group, const SourceLocation &Location,
                  std::string Text) {
    if (!wants(Group))
      return nullptr;
    auto Library = A.LibraryKernels.find(Function.str());
    Collected.push_back(
        {Group,
         isError(Group) ? DiagnosticSeverity::Error : info(Group).Severity,
         Library == A.LibraryKernels.end() ? Location
                                           : Library->second.front().Location,
         std::move(Text),
         {},
         Function.str()});
    return &Collected.back();
  }

  std::vector<Diagnostic> take() {
    for (Diagnostic &D : Collected)
      if (A.LibraryKernels.count(D.Function))
        for (DiagnosticNote &N : D.Notes)
          N.Location = {};
    return std::move(Collected);
  }

private:
  const Analysis &A;
  ArrayRef<std::string> Silenced, Here;
  StringRef Function;
  std::vector<Diagnostic> Collected;
};

} // namespace

/// "'a', 'b' and 3 more", of texts that are quoted already.
static std::string list(ArrayRef<std::string> Names) {
  std::string Text = join(Names.take_front(MaxNames), ", ");
  if (Names.size() > MaxNames)
    Text += " and " + std::to_string(Names.size() - MaxNames) + " more";
  return Text;
}

/// "scale" of "scale<float>".
static StringRef templateName(StringRef Name) {
  if (!Name.ends_with(">"))
    return Name;
  int Depth = 0;
  for (size_t I = Name.size(); I-- > 0;) {
    Depth += Name[I] == '>' ? 1 : Name[I] == '<' ? -1 : 0;
    if (Depth == 0)
      return Name.take_front(I);
  }
  return Name;
}

static size_t countKernels(ArrayRef<const ExplainedPrediction *> Group) {
  std::set<StringRef> Kernels;
  for (const ExplainedPrediction *E : Group)
    Kernels.insert(E->Estimate.Kernel);
  return Kernels.size();
}

/// Adds one note with the assumption that moves the time most, and the number
/// of the others; for All, one for each.
static void addAssumptions(Diagnostic &D, const Prediction &P, bool All) {
  std::vector<DiagnosticNote> Notes;
  unsigned NotVaried = 0;
  for (const AssumptionGroup &G : groupAssumptions(P.Assumptions)) {
    NotVaried += G.Shown.NotVaried;
    if (std::fabs(G.Shown.Sensitivity) >= NotedSensitivity)
      Notes.push_back(
          {G.Shown.Location, P.Terms.reword("assumed " + assumed(G) + " (" +
                                            G.Shown.Why + "); settle with ") +
                                 G.Shown.Settle});
  }
  if (!All && !Notes.empty()) {
    size_t Others = Notes.size() - 1 + NotVaried;
    Notes.resize(1);
    if (Others > 0)
      Notes[0].Text += "; and " + std::to_string(Others) + " other assumption" +
                       (Others == 1 ? "" : "s") +
                       ", which 'gpu-estimate analyze' lists";
  } else if (NotVaried > 0) {
    Notes.push_back(
        {P.Location, "assumptions whose effect was not computed, to keep the "
                     "compile short: " +
                         std::to_string(NotVaried) +
                         "; 'gpu-estimate analyze' lists them"});
  }
  append_range(D.Notes, std::move(Notes));
}

/// Kernels: the number of instantiations of which P is the slowest. Noted:
/// texts of assumptions that other launches of the kernel have.
static void addTime(Collector &Out, const Analysis &A,
                    const ExplainedPrediction &E, size_t Kernels,
                    std::vector<std::string> &Noted) {
  const Prediction &P = E.Estimate;
  std::string Text = bottomLine(A, E);
  // A loop nest of plain C is its own launch.
  bool IsLaunched = P.Used.Source == "host-code" && P.Used.Location.isValid() &&
                    P.HostFunction.empty();
  if (IsLaunched && !A.AllFindings)
    Text += "; launched at " + P.Used.Location.brief();
  if (Kernels > 1)
    Text += "; the slowest of " + std::to_string(Kernels) + " instantiations";
  Diagnostic *D = Out.add(DiagnosticGroup::Time, P.Location, std::move(Text));
  if (!D)
    return;
  if (IsLaunched && A.AllFindings)
    D->Notes.push_back({P.Used.Location, "launched here"});
  if (!Out.wants(DiagnosticGroup::Assumption) || E.Curve)
    return;
  addAssumptions(*D, P, A.AllFindings);
  if (A.AllFindings)
    return;
  erase_if(D->Notes, [&](const DiagnosticNote &N) {
    return is_contained(Noted, N.Text);
  });
  for (const DiagnosticNote &N : D->Notes)
    Noted.push_back(N.Text);
}

static void addComparison(Collector &Out, const Prediction &P,
                          const TargetComparison &C) {
  Diagnostic *D =
      Out.add(DiagnosticGroup::Against, P.Location, targetTimeLine(P, C));
  std::string Even = breakEvenLine(C);
  if (D && !Even.empty())
    D->Notes.push_back({P.Location, Even});
}

static DiagnosticGroup groupOf(const Finding &F) {
  const DiagnosticGroupInfo *Row = findDiagnosticGroup(F.Group);
  assert(Row && "a finding belongs to a group of the table");
  return Row->Group;
}

/// Suffix: the launches or instantiations of which F is the worst.
static void addFinding(Collector &Out, const Finding &F, StringRef Suffix) {
  bool Worth = F.Gain && *F.Gain >= MinimumGain;
  std::string Gain;
  if (Worth)
    Gain = "; predicted gain " + formatPercent(*F.Gain);
  else if (F.Gain)
    Gain = "; predicted gain below " + formatPercent(MinimumGain);
  Diagnostic *D =
      Out.add(groupOf(F), F.Location, F.Problem + Gain + Suffix.str());
  if (D && Worth && !F.Remedy.empty())
    D->Notes.push_back({F.Location, F.Remedy});
}

static std::string divergenceText(const Prediction &P,
                                  const DivergenceReport &D) {
  return formatRatio(D.ActiveLanes) + " of " + std::to_string(P.WarpSize) +
         " lanes are active here on average, in " + formatPercent(D.TimeShare) +
         " of the kernel's issue cycles";
}

static bool isDivergent(const Prediction &P, const DivergenceReport &D) {
  return D.ActiveLanes <= FewLanes * P.WarpSize &&
         D.TimeShare >= DivergenceShare;
}

/// Everything about one launch.
static void addWhole(Collector &Out, const Analysis &A,
                     const ExplainedPrediction &E) {
  Out.enter(E.Silenced, E.Estimate.Kernel);
  std::vector<std::string> Noted;
  addTime(Out, A, E, /*Kernels=*/1, Noted);
  for (const TargetComparison &C : E.Against)
    addComparison(Out, E.Estimate, C);
  for (const Finding &F : E.Findings)
    addFinding(Out, F, "");
  for (const DivergenceReport &D : E.Estimate.Divergence)
    if (isDivergent(E.Estimate, D))
      Out.add(DiagnosticGroup::Divergence, D.Location,
              divergenceText(E.Estimate, D));
}

/// Time of E's launches in one run of the program, in seconds: if what host
/// code does not tell of their number is small, and if it is large.
static LaunchCount totalTimes(const ExplainedPrediction &E) {
  double Time = E.Estimate.Time.value();
  if (!E.Estimate.HostFunction.empty())
    return {Time * E.Estimate.Repeats, Time * E.Estimate.Repeats};
  LaunchCount Count = E.Count.value_or(LaunchCount());
  return {Time * Count.Few, Time * Count.Many};
}

/// Whether the launches of a group take a share of the time of all known
/// launches of their source file that is worth a finding.
static bool matters(const Analysis &A, const EstimateGroup &Group) {
  const Prediction &First = Group.front()->Estimate;
  // Neither a time nor a number of launches that is not known is small.
  if (any_of(Group, [](const ExplainedPrediction *E) {
        return E->Curve || (!E->Count && E->Estimate.HostFunction.empty());
      }))
    return true;
  LaunchCount OfGroup{0, 0}, OfFile{0, 0};
  auto Add = [](LaunchCount &Into, const ExplainedPrediction &E) {
    LaunchCount Times = totalTimes(E);
    Into.Few += Times.Few;
    Into.Many += Times.Many;
  };
  for (const ExplainedPrediction *E : Group)
    Add(OfGroup, *E);
  for (const ExplainedPrediction &E : A.Estimates)
    if (E.Estimate.Gpu == First.Gpu &&
        E.Estimate.Location.File == First.Location.File && !E.Curve)
      Add(OfFile, E);
  return OfGroup.Few >= RelevantShare * OfFile.Few ||
         OfGroup.Many >= RelevantShare * OfFile.Many;
}

/// Whether F of E is worth saying, if its kernel is. An access whose change was
/// not evaluated is less of a problem than those of its group that were.
static bool isRelevant(const ExplainedPrediction &E, const Finding &F) {
  if (F.Gain)
    return *F.Gain >= RelevantGain;
  return none_of(E.Findings, [&](const Finding &Other) {
    return Other.Group == F.Group && Other.Gain;
  });
}

/// What depends on the grid alone.
static bool isAboutGrid(DiagnosticGroup Group) {
  return Group == DiagnosticGroup::Launch || Group == DiagnosticGroup::Tail;
}

/// ", the most of 12 instantiations"
static std::string worstOf(const FindingGroup &G) {
  bool IsTemplate = G.Kernels.size() > 1;
  size_t Count = IsTemplate ? G.Kernels.size() : G.Launches;
  if (size_t Others = G.Others.size())
    return "; so have " + std::to_string(Others) + " other access" +
           (Others == 1 ? "" : "es") + " of the kernel";
  if (Count == 1)
    return "";
  std::string Text =
      std::to_string(Count) + (IsTemplate ? " instantiations" : " launches");
  return G.Said->Gain ? ", the most of " + Text : " (" + Text + ")";
}

/// Matter: the launches of Group take a relevant share of the time. A group of
/// diagnostics that is an error is said in any case.
static void addFindings(Collector &Out, const EstimateGroup &Group,
                        bool Matter) {
  std::vector<FindingGroup> Merged;
  auto Saved = [](const ExplainedPrediction &E, const Finding &F) {
    return F.Gain.value_or(0) * totalTimes(E).Few;
  };
  for (const ExplainedPrediction *E : Group)
    for (const Finding &F : E->Findings) {
      if (!Out.isError(groupOf(F)) && (!Matter || !isRelevant(*E, F) ||
                                       (E->Curve && isAboutGrid(groupOf(F)))))
        continue;
      // The time was evaluated with all data-dependent accesses of a kernel as
      // they are assumed to be, so that the worst one stands for all.
      bool IsIndirect = groupOf(F) == DiagnosticGroup::Indirect;
      auto Same = find_if(Merged, [&](const FindingGroup &G) {
        return G.Said->Group == F.Group &&
               (IsIndirect || G.Said->Location == F.Location);
      });
      if (Same == Merged.end())
        Same = Merged.insert(Same, {E, &F, {}, 0, {}});
      else if (F.Location != Same->Said->Location &&
               !is_contained(Same->Others, F.Location))
        Same->Others.push_back(F.Location);
      else if (Saved(*E, F) > Saved(*Same->Estimate, *Same->Said))
        Same->Estimate = E, Same->Said = &F;
      Same->Kernels.insert(E->Estimate.Kernel);
      ++Same->Launches;
    }
  for (const FindingGroup &G : Merged) {
    const Prediction &P = G.Estimate->Estimate;
    Out.enter(G.Estimate->Silenced, P.Kernel);
    std::string Suffix = worstOf(G);
    if (const auto &Curve = G.Estimate->Curve; Curve && G.Said->Gain)
      Suffix += " (for " + sizeText(*Curve, Curve->last().Value) + ")";
    addFinding(Out, *G.Said, Suffix);
  }
}

static void addDivergence(Collector &Out, const EstimateGroup &Group) {
  std::vector<SourceLocation> Said;
  for (const ExplainedPrediction *E : Group)
    for (const DivergenceReport &D : E->Estimate.Divergence)
      if (isDivergent(E->Estimate, D) && !is_contained(Said, D.Location)) {
        Said.push_back(D.Location);
        Out.enter(E->Silenced, E->Estimate.Kernel);
        Out.add(DiagnosticGroup::Divergence, D.Location,
                divergenceText(E->Estimate, D));
      }
}

/// Known launches of one kernel or template.
static void addGroup(Collector &Out, const Analysis &A,
                     const EstimateGroup &Group) {
  size_t Kernels = countKernels(Group);
  std::vector<std::string> Noted;
  if (Kernels > 1) {
    const ExplainedPrediction &Slowest = **max_element(
        Group, [](const ExplainedPrediction *X, const ExplainedPrediction *Y) {
          return X->Estimate.Time < Y->Estimate.Time;
        });
    Out.enter(Slowest.Silenced, Slowest.Estimate.Kernel);
    addTime(Out, A, Slowest, Kernels, Noted);
  } else {
    for (const ExplainedPrediction *E : Group) {
      Out.enter(E->Silenced, E->Estimate.Kernel);
      addTime(Out, A, *E, Kernels, Noted);
    }
  }
  for (const ExplainedPrediction *E : Group) {
    Out.enter(E->Silenced, E->Estimate.Kernel);
    for (const TargetComparison &C : E->Against)
      addComparison(Out, E->Estimate, C);
  }
  bool Matter = matters(A, Group);
  addFindings(Out, Group, Matter);
  if (Matter || Out.isError(DiagnosticGroup::Divergence))
    addDivergence(Out, Group);
}

/// One diagnostic for each kernel or template whose size is not known, on the
/// first GPU; one for all that a file has beyond MaxNames.
static void addUnsized(Collector &Out, const Analysis &A,
                       ArrayRef<EstimateGroup> Groups) {
  struct OfFile {
    std::vector<SourceLocation> Places;
    std::vector<std::string> Further;
    SourceLocation FirstFurther;
  };
  MapVector<StringRef, OfFile> Files;
  for (const EstimateGroup &Group : Groups) {
    const ExplainedPrediction &E = **max_element(
        Group, [](const ExplainedPrediction *X, const ExplainedPrediction *Y) {
          return X->Curve->last().Time < Y->Curve->last().Time;
        });
    const SourceLocation &Place = E.Estimate.Location;
    Out.enter(E.Silenced, E.Estimate.Kernel);
    if (!Out.wants(DiagnosticGroup::Time))
      continue;
    OfFile &File = Files[Place.File];
    if (is_contained(File.Places, Place))
      continue;
    File.Places.push_back(Place);
    size_t Kernels = countKernels(Group);
    if (File.Places.size() <= MaxNames) {
      std::vector<std::string> Noted;
      addTime(Out, A, E, Kernels, Noted);
      continue;
    }
    if (File.Further.empty())
      File.FirstFurther = Place;
    File.Further.push_back(
        "'" +
        (Kernels > 1 ? templateName(E.Estimate.Name) : E.Estimate.Name).str() +
        "'");
  }
  Out.enter({}, "");
  for (const auto &[Name, File] : Files)
    if (!File.Further.empty())
      Out.add(DiagnosticGroup::Time, File.FirstFurther,
              "no time either without their sizes: " + list(File.Further) +
                  "; 'gpu-estimate analyze' prints their tables");
}

/// Whether Call makes the launch, or nothing tells which call does.
static bool isLaunchedBy(const Launch &L, const LibraryCall &Call) {
  return !L.Location.isValid() || (L.Location.File == Call.Location.File &&
                                   L.Location.Line == Call.Location.Line);
}

static std::vector<LibraryUse> libraryUses(const Analysis &A) {
  std::vector<LibraryUse> Uses;
  for (const auto &[Kernel, Calls] : A.LibraryKernels)
    for (const LibraryCall &Call : Calls) {
      auto Same = find_if(Uses, [&](const LibraryUse &U) {
        return U.Function == Call.Function &&
               U.Location.File == Call.Location.File;
      });
      if (Same == Uses.end())
        Same = Uses.insert(Same, {Call.Function, Call.Location, {}, {}, true});
      if (std::pair(Call.Location.Line, Call.Location.Column) <
          std::pair(Same->Location.Line, Same->Location.Column))
        Same->Location = Call.Location;
      Same->Kernels.insert(Kernel);
      for (const ExplainedPrediction &E : A.Estimates)
        if (E.Estimate.Kernel == Kernel &&
            isLaunchedBy(E.Estimate.Used, Call)) {
          if (E.Curve)
            Same->IsComplete = false;
          else if (!is_contained(Same->Known, &E))
            Same->Known.push_back(&E);
        }
    }
  llvm::sort(Uses, [](const LibraryUse &X, const LibraryUse &Y) {
    auto Key = [](const LibraryUse &U) {
      return std::tie(U.Location.File, U.Location.Line, U.Location.Column,
                      U.Function);
    };
    return Key(X) < Key(Y);
  });
  return Uses;
}

/// One diagnostic for each function of a library that launches kernels of
/// system headers.
static void addLibraries(Collector &Out, const Analysis &A) {
  Out.enter({}, "");
  for (const LibraryUse &U : libraryUses(A)) {
    std::string Kernels = std::to_string(U.Kernels.size()) +
                          (U.Kernels.size() == 1 ? " kernel" : " kernels");
    if (U.Known.empty() || !U.IsComplete) {
      Out.add(DiagnosticGroup::Time, U.Location,
              "'" + U.Function + "' leads to " + Kernels +
                  " of system headers, whose launches are not known here; "
                  "execute the program with 'gpu-estimate run'");
      continue;
    }
    struct Total {
      Seconds Time;
      double Launches = 0;
    };
    std::map<std::string, Total> ByGpu;
    for (const ExplainedPrediction *E : U.Known) {
      Total &On = ByGpu[E->Estimate.GpuName];
      On.Time += Seconds(totalTimes(*E).Few);
      On.Launches += E->Count.value_or(LaunchCount()).Few;
    }
    for (const auto &[Gpu, On] : ByGpu)
      Out.add(DiagnosticGroup::Time, U.Location,
              "'" + U.Function + "' takes " + formatTime(On.Time) + " on " +
                  Gpu + " in " + formatNumber(On.Launches) +
                  (On.Launches == 1 ? " launch of " : " launches of ") +
                  Kernels + " of system headers");
  }
}

/// Where U is reported, and by which names.
static std::pair<StringRef, std::vector<std::string>>
fileAndNames(const Analysis &A, const Unresolved &U) {
  auto Library = A.LibraryKernels.find(U.Kernel);
  if (A.AllFindings || Library == A.LibraryKernels.end())
    return {U.Location.File, {"'" + U.Name + "'"}};
  std::vector<std::string> Names;
  for (const LibraryCall &Call : Library->second)
    Names.push_back("kernels of '" + Call.Function + "'");
  return {Library->second.front().Location.File, std::move(Names)};
}

/// One diagnostic for the kernels of a file that have no estimate for one
/// reason.
static void addUnresolved(Collector &Out, const Analysis &A) {
  struct Together {
    const Unresolved *First;
    StringRef File;
    SetVector<std::string, std::vector<std::string>, std::set<std::string>>
        Names;
  };
  std::vector<Together> Groups;
  for (const Unresolved &U : A.Unresolveds) {
    Out.enter(U.Silenced, U.Kernel);
    if (!Out.wants(DiagnosticGroup::Unresolved))
      continue;
    auto [File, Names] = fileAndNames(A, U);
    auto Same = find_if(Groups, [&, &File = File](const Together &G) {
      return !A.AllFindings && G.First->Reason == U.Reason && G.File == File;
    });
    if (Same == Groups.end())
      Same = Groups.insert(Same, {&U, File, {}});
    else if (!A.LibraryKernels.count(U.Kernel) && U.Location.isValid())
      Names.front() += " (" + U.Location.brief() + ")";
    Same->Names.insert(Names.begin(), Names.end());
  }
  for (const Together &Group : Groups) {
    Out.enter(Group.First->Silenced, Group.First->Kernel);
    Out.add(DiagnosticGroup::Unresolved, Group.First->Location,
            "no estimate for " + join(Group.Names, ", ") + ": " +
                Group.First->Reason);
  }
}

/// Estimates by kernel or template and GPU, in the order of their first ones.
/// Kernels of system headers are left out.
static std::vector<EstimateGroup> groupEstimates(const Analysis &A,
                                                 bool HasTime) {
  std::vector<EstimateGroup> Groups;
  for (const ExplainedPrediction &E : A.Estimates) {
    if (E.Curve.has_value() == HasTime ||
        A.LibraryKernels.count(E.Estimate.Kernel))
      continue;
    auto Same = find_if(Groups, [&](const EstimateGroup &G) {
      const Prediction &P = G.front()->Estimate;
      return P.Location == E.Estimate.Location && P.Gpu == E.Estimate.Gpu;
    });
    if (Same == Groups.end())
      Groups.push_back({&E});
    else
      Same->push_back(&E);
  }
  return Groups;
}

static void addSelected(Collector &Out, const Analysis &A) {
  for (const EstimateGroup &Group : groupEstimates(A, /*HasTime=*/true))
    addGroup(Out, A, Group);
  std::vector<EstimateGroup> Unsized = groupEstimates(A, /*HasTime=*/false);
  addUnsized(Out, A, Unsized);
  for (const EstimateGroup &Group : Unsized) {
    addFindings(Out, Group, /*Matter=*/true);
    addDivergence(Out, Group);
  }
  addLibraries(Out, A);
}

std::string Diagnostic::textWithGroup() const {
  return Text + " [-Wgpu-estimate-" + info(Group).Name.str() + "]";
}

std::vector<Diagnostic> diagnose(const Analysis &A,
                                 ArrayRef<std::string> Silenced) {
  Collector Out(A, Silenced);
  for (const Notice &N : A.Notices)
    Out.add(DiagnosticGroup::Input, N.Location, N.Text);
  if (!A.AllFindings)
    addSelected(Out, A);
  else
    for (const ExplainedPrediction &E : A.Estimates)
      addWhole(Out, A, E);
  addUnresolved(Out, A);
  for (const BudgetCheck &C : A.Budgets) {
    Out.enter(C.Silenced, C.Kernel);
    if (std::string Text = budgetLine(C); !Text.empty())
      Out.add(DiagnosticGroup::Budget, C.Location, std::move(Text));
  }
  return Out.take();
}

static void printLine(raw_ostream &OS, const SourceLocation &L, StringRef Level,
                      StringRef Text) {
  if (L.isValid())
    OS << L.File << ':' << L.Line << ':' << std::max(1u, L.Column) << ": ";
  OS << Level << ": " << Text << '\n';
}

void printDiagnostics(raw_ostream &OS, ArrayRef<Diagnostic> Diagnostics) {
  for (const Diagnostic &D : Diagnostics) {
    printLine(OS, D.Location,
              D.Severity == DiagnosticSeverity::Remark    ? "remark"
              : D.Severity == DiagnosticSeverity::Warning ? "warning"
                                                          : "error",
              D.textWithGroup());
    for (const DiagnosticNote &N : D.Notes)
      printLine(OS, N.Location.isValid() ? N.Location : D.Location, "note",
                N.Text);
  }
}

} // namespace gpuestimate
