#include "gpu-estimate/Report/Text/Comparison.h"

#include "LaunchGroups.h"
#include "ResultFields.h"
#include "gpu-estimate/Advice/CpiStack.h"
#include "gpu-estimate/Advice/Disagreement.h"
#include "gpu-estimate/Report/Text/Table.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuestimate {

static void printLaunch(raw_ostream &OS,
                        ArrayRef<const ModelComparison *> OnGpus) {
  const ModelComparison &First = *OnGpus.front();
  OS << describeLaunch(First) << '\n';
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

static void printRefusals(raw_ostream &OS, const Analysis &A) {
  std::vector<std::pair<std::string, unsigned>> Reasons = refusals(A);
  if (Reasons.empty())
    return;
  OS << "\nrefused\n";
  for (const auto &[Reason, Count] : Reasons)
    OS << "  " << Count << " x " << Reason << '\n';
}

void printComparisonText(raw_ostream &OS, const Analysis &A) {
  StringRef Blank = "";
  for (const LaunchGroup &OnGpus : groupLaunches(A)) {
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
  writeInterval(J, P.Interval ? P.Interval->Level : 0, intervalMs(P));
  writeTexts(J, "premises", P.Premises);
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
