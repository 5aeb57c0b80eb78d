/// \file
/// Selects the findings of an analysis that become diagnostics, and words them.
#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"

#include "Report/Text/TargetComparisonText.h"
#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Report/Text/Text.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {

/// Thresholds of the conditions in diagnosticTable().
constexpr double FewLanes = 24, DivergenceShare = 0.1;
/// Smallest sensitivity of the time for which an assumption becomes a note; the
/// report lists all.
constexpr double NotedSensitivity = 0.01;

class Collector {
public:
  Collector(ArrayRef<std::string> Silenced, ArrayRef<std::string> Errors)
      : Silenced(Silenced), Errors(Errors) {}

  /// Begins a kernel for which further groups are silenced.
  void enter(ArrayRef<std::string> SilencedHere, StringRef Mangled) {
    Here = SilencedHere;
    Function = Mangled;
  }

  bool wants(DiagnosticGroup Group) const {
    return !containsGroup(Silenced, Group) && !containsGroup(Here, Group);
  }

  Diagnostic *add(DiagnosticGroup Group, const SourceLocation &Location,
                  std::string Text) {
    if (!wants(Group))
      return nullptr;
    Collected.push_back({Group,
                         containsGroup(Errors, Group)
                             ? DiagnosticSeverity::Error
                             : info(Group).Severity,
                         Location,
                         std::move(Text),
                         {},
                         Function.str()});
    return &Collected.back();
  }

  std::vector<Diagnostic> take() { return std::move(Collected); }

private:
  ArrayRef<std::string> Silenced, Errors, Here;
  StringRef Function;
  std::vector<Diagnostic> Collected;
};

} // namespace

static void addTime(Collector &Out, const Analysis &A, const Prediction &P) {
  Diagnostic *D = Out.add(DiagnosticGroup::Time, P.Location, bottomLine(A, P));
  if (!D)
    return;
  // A loop nest of plain C is its own launch.
  if (P.Used.Source == "host-code" && P.Used.Location.isValid() &&
      P.HostFunction.empty())
    D->Notes.push_back({P.Used.Location, "launched here"});
  if (!Out.wants(DiagnosticGroup::Assumption))
    return;
  unsigned NotVaried = 0;
  for (const AssumptionGroup &G : groupAssumptions(P.Assumptions)) {
    NotVaried += G.Shown.NotVaried;
    if (std::fabs(G.Shown.Sensitivity) >= NotedSensitivity)
      D->Notes.push_back(
          {G.Shown.Location, "assumed " + assumed(G) + " (" + G.Shown.Why +
                                 "); settle with " + G.Shown.Settle});
  }
  if (NotVaried > 0)
    D->Notes.push_back(
        {P.Location, "assumptions whose effect was not computed, to keep the "
                     "compile short: " +
                         std::to_string(NotVaried) +
                         "; 'gpu-estimate analyze' lists them"});
}

static void addComparison(Collector &Out, const Prediction &P,
                          const TargetComparison &C) {
  Diagnostic *D =
      Out.add(DiagnosticGroup::Against, P.Location, targetTimeLine(P, C));
  std::string Even = breakEvenLine(C);
  if (D && !Even.empty())
    D->Notes.push_back({P.Location, Even});
}

static void addFinding(Collector &Out, const Finding &F) {
  const DiagnosticGroupInfo *Row = findDiagnosticGroup(F.Group);
  assert(Row && "a finding belongs to a group of the table");
  bool Worth = F.Gain && *F.Gain >= MinimumGain;
  std::string Gain;
  if (Worth)
    Gain = "; predicted gain " + formatPercent(*F.Gain);
  else if (F.Gain)
    Gain = "; predicted gain below " + formatPercent(MinimumGain);
  Diagnostic *D = Out.add(Row->Group, F.Location, F.Problem + Gain);
  if (D && Worth && !F.Remedy.empty())
    D->Notes.push_back({F.Location, F.Remedy});
}

static void addDivergence(Collector &Out, const Prediction &P) {
  for (const DivergenceReport &D : P.Divergence)
    if (D.ActiveLanes <= FewLanes && D.TimeShare >= DivergenceShare)
      Out.add(DiagnosticGroup::Divergence, D.Location,
              formatRatio(D.ActiveLanes) +
                  " of 32 lanes are active here on average, in " +
                  formatPercent(D.TimeShare) + " of the kernel's issue cycles");
}

std::string Diagnostic::textWithGroup() const {
  return Text + " [-Wgpu-estimate-" + info(Group).Name.str() + "]";
}

std::vector<Diagnostic> diagnose(const Analysis &A,
                                 ArrayRef<std::string> Silenced) {
  Collector Out(Silenced, A.Errors);
  for (const Notice &N : A.Notices)
    Out.add(DiagnosticGroup::Input, N.Location, N.Text);
  for (const ExplainedPrediction &E : A.Estimates) {
    Out.enter(E.Silenced, E.Estimate.Kernel);
    addTime(Out, A, E.Estimate);
    for (const TargetComparison &C : E.Against)
      addComparison(Out, E.Estimate, C);
    for (const Finding &F : E.Findings)
      addFinding(Out, F);
    addDivergence(Out, E.Estimate);
  }
  for (const Unresolved &U : A.Unresolveds) {
    Out.enter(U.Silenced, U.Kernel);
    Out.add(DiagnosticGroup::Unresolved, U.Location,
            "no estimate for '" + U.Name + "': " + U.Reason);
  }
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
