#include "gpu-estimate/Report/Comparison.h"

#include "gpu-estimate/Explain/CpiStack.h"
#include "gpu-estimate/Report/Table.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuestimate {

/// Of the same kernel, launch and arguments: one table.
static bool isSameLaunch(const ModelComparison &A, const ModelComparison &B) {
  return A.Kernel == B.Kernel && A.Location == B.Location &&
         A.Used.Grid == B.Used.Grid && A.Used.Block == B.Used.Block &&
         A.Used.DynamicSharedBytes == B.Used.DynamicSharedBytes &&
         A.Used.Location == B.Used.Location && A.Arguments == B.Arguments;
}

/// "interval 2.1 x: dram +3 us"
static std::string describe(const Disagreement &D) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << D.Model << format(" %.3g x", D.Ratio);
  if (!D.Component.empty())
    OS << ": " << D.Component << (D.Difference.value() < 0 ? " -" : " +")
       << formatTime(D.Difference.value() < 0 ? D.Difference * -1
                                              : D.Difference);
  return Text;
}

static void printLaunch(raw_ostream &OS,
                        ArrayRef<const ModelComparison *> OnGpus) {
  const ModelComparison &First = *OnGpus.front();
  OS << "'" << First.Name << "' (" << First.Location.brief() << "), grid "
     << formatSizes(First.Used.Grid) << ", block "
     << formatSizes(First.Used.Block) << " from " << First.Used.Source;
  for (const auto &[Name, Value] : First.Arguments)
    OS << ", " << Name << " = " << formatNumber(Value);
  OS << '\n';
  std::vector<Align> Columns = {Align::Left};
  std::vector<std::string> Head = {"gpu"};
  for (const ModelEstimate &M : First.Models) {
    Columns.insert(Columns.end(), {Align::Right, Align::Left});
    Head.insert(Head.end(), {M.Model, "bound"});
  }
  Columns.push_back(Align::Left);
  Head.push_back("furthest from " + First.Models.front().Model);
  Table T(Columns);
  T.row(Head);
  for (const ModelComparison *C : OnGpus) {
    std::vector<std::string> Cells = {C->Gpu};
    for (const ModelEstimate &M : C->Models)
      if (M.Estimate)
        Cells.insert(Cells.end(),
                     {formatTime(M.Estimate->Time), M.Estimate->Bottleneck});
      else
        Cells.insert(Cells.end(), {"-", "refused"});
    std::optional<Disagreement> D = largestDisagreement(*C);
    Cells.push_back(D ? describe(*D) : "-");
    T.row(std::move(Cells));
  }
  T.print(OS, 2);
}

/// Each reason once, with the number of times.
static void printRefusals(raw_ostream &OS, const Analysis &A) {
  std::vector<std::pair<std::string, unsigned>> Reasons;
  for (const ModelComparison &C : A.Comparisons)
    for (const ModelEstimate &M : C.Models) {
      if (M.Estimate)
        continue;
      auto Known =
          find_if(Reasons, [&](const auto &R) { return R.first == M.Refusal; });
      if (Known == Reasons.end())
        Known = Reasons.insert(Known, {M.Refusal, 0});
      ++Known->second;
    }
  if (Reasons.empty())
    return;
  OS << "\nrefused\n";
  for (const auto &[Reason, Count] : Reasons)
    OS << "  " << Count << " x " << Reason << '\n';
}

void printComparisonText(raw_ostream &OS, const Analysis &A) {
  std::vector<bool> Printed(A.Comparisons.size());
  StringRef Blank = "";
  for (size_t I = 0; I < A.Comparisons.size(); ++I) {
    if (Printed[I])
      continue;
    std::vector<const ModelComparison *> OnGpus;
    for (size_t J = I; J < A.Comparisons.size(); ++J)
      if (!Printed[J] && isSameLaunch(A.Comparisons[I], A.Comparisons[J])) {
        Printed[J] = true;
        OnGpus.push_back(&A.Comparisons[J]);
      }
    OS << Blank;
    Blank = "\n";
    printLaunch(OS, OnGpus);
  }
  printRefusals(OS, A);
  for (const Unresolved &U : A.Unresolveds)
    OS << Blank << "no estimate for '" << U.Name << "' (" << U.Location.brief()
       << "): " << U.Reason << '\n';
}

static void model(json::OStream &J, const ModelComparison &C,
                  const ModelEstimate &M) {
  J.attribute("model", M.Model);
  if (!M.Estimate) {
    J.attribute("refused", M.Refusal);
    return;
  }
  const Prediction &P = *M.Estimate;
  auto Numbers = [&](StringRef Key, const auto &Values) {
    J.attributeObject(Key, [&] {
      for (const auto &[Name, Value] : Values)
        J.attribute(Name, Value);
    });
  };
  J.attribute("time_ms", P.Time.value() * 1e3);
  J.attribute("bottleneck", P.Bottleneck);
  Numbers("breakdown", P.Breakdown);
  Numbers("cpi_stack", cpiStack(P));
  if (!P.Intermediates.empty())
    Numbers("intermediates", P.Intermediates);
  std::optional<Disagreement> D = disagreement(C, M);
  if (!D || &M == &C.Models.front())
    return;
  J.attributeObject("disagreement", [&] {
    J.attribute("ratio", D->Ratio);
    J.attribute("component", D->Component);
    J.attribute("difference_ms", D->Difference.value() * 1e3);
  });
}

static void comparison(json::OStream &J, const ModelComparison &C) {
  J.attribute("kernel", C.Kernel);
  J.attribute("name", C.Name);
  J.attribute("location", C.Location.brief());
  J.attribute("gpu", C.Gpu);
  for (auto [Key, Sizes] :
       {std::pair{"grid", &C.Used.Grid}, {"block", &C.Used.Block}})
    J.attributeArray(Key, [&, Sizes = Sizes] {
      for (uint64_t Size : *Sizes)
        J.value(static_cast<int64_t>(Size));
    });
  J.attributeArray("models", [&] {
    for (const ModelEstimate &M : C.Models)
      J.object([&] { model(J, C, M); });
  });
}

void printComparisonJson(raw_ostream &OS, const Analysis &A,
                         StringRef ToolVersion) {
  json::OStream J(OS, /*IndentSize=*/2);
  J.object([&] {
    J.attribute("schema", "gpu-estimate-compare/1");
    J.attribute("tool_version", ToolVersion);
    J.attributeArray("comparisons", [&] {
      for (const ModelComparison &C : A.Comparisons)
        J.object([&] { comparison(J, C); });
    });
    J.attributeArray("unresolved", [&] {
      for (const Unresolved &U : A.Unresolveds)
        J.object([&] {
          J.attribute("kernel", U.Kernel);
          J.attribute("name", U.Name);
          J.attribute("location", U.Location.brief());
          J.attribute("reason", U.Reason);
        });
    });
  });
  OS << '\n';
}

} // namespace gpuestimate
