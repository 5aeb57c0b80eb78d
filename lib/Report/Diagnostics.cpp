/// \file
/// Which findings of an analysis are worth a diagnostic, and their words.
#include "gpu-estimate/Report/Diagnostics.h"

#include "gpu-estimate/Explain/AccessGroups.h"
#include "gpu-estimate/Report/Numbers.h"
#include "gpu-estimate/Report/Text.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {

/// Thresholds of the conditions that diagnosticTable() states.
constexpr double SectorRatio = 2, PassRatio = 1.5, AccessShare = 0.05;
constexpr double LowOccupancy = 0.5, FewLanes = 24, DivergenceShare = 0.1;
/// An assumption that moves the time by less than 1 % of its own change is
/// left to the report.
constexpr double NotedSensitivity = 0.01;

class Collector {
public:
  explicit Collector(ArrayRef<std::string> Silenced) : Silenced(Silenced) {}

  bool wants(DiagnosticGroup Group) const {
    return !is_contained(Silenced, "all") &&
           none_of(Silenced, [&](StringRef Name) {
             return findDiagnosticGroup(Name) == &info(Group);
           });
  }

  Diagnostic *add(DiagnosticGroup Group, const SourceLocation &Location,
                  std::string Text) {
    if (!wants(Group))
      return nullptr;
    Found.push_back(
        {Group, info(Group).Severity, Location, std::move(Text), {}});
    return &Found.back();
  }

  std::vector<Diagnostic> take() { return std::move(Found); }

private:
  ArrayRef<std::string> Silenced;
  std::vector<Diagnostic> Found;
};

} // namespace

static void addTime(Collector &Out, const Analysis &A, const Prediction &P) {
  Diagnostic *D = Out.add(DiagnosticGroup::Time, P.Location, bottomLine(A, P));
  if (!D)
    return;
  if (P.Used.Source == "host-code" && P.Used.Location.isValid())
    D->Notes.push_back({P.Used.Location, "launched here"});
  if (!Out.wants(DiagnosticGroup::Assumption))
    return;
  for (const AssumptionGroup &G : groupAssumptions(P.Assumptions))
    if (std::fabs(G.Shown.Sensitivity) >= NotedSensitivity)
      D->Notes.push_back(
          {G.Shown.Location, "assumed " + assumed(G) + " (" + G.Shown.Why +
                                 "); settle with " + G.Shown.Settle});
}

static std::string accessName(const AccessReport &A) {
  StringRef Preposition = A.Kind == "load" ? " from " : " to ";
  if (A.Base.empty())
    return A.Space + " " + A.Kind;
  return A.Kind + Preposition.str() + "'" + A.Base + "'";
}

static void addUncoalesced(Collector &Out, ArrayRef<AccessReport> Accesses) {
  double All = 0;
  for (const AccessReport &A : Accesses)
    All += A.Requests * A.SectorsPerRequest;
  for (const AccessReport &A : Accesses)
    if (A.IdealSectorsPerRequest > 0 &&
        A.SectorsPerRequest >= SectorRatio * A.IdealSectorsPerRequest &&
        A.Requests * A.SectorsPerRequest >= AccessShare * All)
      Out.add(DiagnosticGroup::Uncoalesced, A.Location,
              accessName(A) + " touches " + formatRatio(A.SectorsPerRequest) +
                  " sectors per request where " +
                  formatRatio(A.IdealSectorsPerRequest) + " would do" +
                  (A.DataDependent ? "; its address is loaded data" : ""));
}

static void addBankConflicts(Collector &Out, ArrayRef<AccessReport> Accesses) {
  double All = 0;
  for (const AccessReport &A : Accesses)
    All += A.Requests * A.PassesPerRequest;
  for (const AccessReport &A : Accesses) {
    double Needed = neededPasses(A.BytesPerThread);
    if (A.Space == "shared" && A.PassesPerRequest >= PassRatio * Needed &&
        A.Requests * A.PassesPerRequest >= AccessShare * All)
      Out.add(DiagnosticGroup::BankConflict, A.Location,
              accessName(A) + " takes " + formatRatio(A.PassesPerRequest) +
                  " passes per request where " + formatNumber(Needed) +
                  " would do");
  }
}

static void addOccupancy(Collector &Out, const Prediction &P) {
  const std::string &Limit = P.Occ.LimitedBy;
  if (P.Occ.Fraction >= LowOccupancy ||
      (Limit != "registers" && Limit != "shared"))
    return;
  std::string Cause =
      Limit == "registers"
          ? std::to_string(P.RegistersPerThread) + " registers per thread"
          : std::to_string(P.SharedBytesPerBlock) +
                " bytes of shared memory per block";
  Out.add(DiagnosticGroup::Occupancy, P.Location,
          "'" + P.Name + "' fills " + formatPercent(P.Occ.Fraction) +
              " of a multiprocessor's warps, limited by " + Limit + " (" +
              Cause + ")");
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
  Collector Out(Silenced);
  for (const Notice &N : A.Notices)
    Out.add(DiagnosticGroup::Input, N.Location, N.Text);
  for (const ExplainedPrediction &E : A.Estimates) {
    addTime(Out, A, E.Estimate);
    std::vector<AccessReport> Accesses = mergeAccesses(E.Estimate.Accesses);
    addUncoalesced(Out, Accesses);
    addBankConflicts(Out, Accesses);
    addOccupancy(Out, E.Estimate);
    addDivergence(Out, E.Estimate);
  }
  for (const Unresolved &U : A.Unresolveds)
    Out.add(DiagnosticGroup::Unresolved, U.Location,
            "no estimate for '" + U.Name + "': " + U.Reason);
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
    bool IsRemark = D.Severity == DiagnosticSeverity::Remark;
    printLine(OS, D.Location, IsRemark ? "remark" : "warning",
              D.textWithGroup());
    for (const DiagnosticNote &N : D.Notes)
      printLine(OS, N.Location.isValid() ? N.Location : D.Location, "note",
                N.Text);
  }
}

} // namespace gpuestimate
