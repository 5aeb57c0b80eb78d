/// \file
/// A validation for spreadsheets and plotting programs.
#include "gpu-estimate/Report/Validation/Validation.h"
#include "gpu-estimate/Support/Csv.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

static std::string cell(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.9g", Value);
  return Text;
}

void printValidationCsv(raw_ostream &OS, const Validation &V) {
  OS << "dataset,case,kernel,gpu,split,model,predicted_ms,measured_ms,error,"
        "spread,noisy,bottleneck,assumed,breakdown,registers,registers_source,"
        "measured_registers";
  const CaseValues Counters = namedCounts(Counts());
  for (const auto &[Name, None] : Counters)
    OS << ',' << Name << ",measured_" << Name;
  OS << '\n';
  for (const CaseResult &C : V.Cases) {
    std::string Breakdown;
    for (const auto &[Name, Part] : C.Breakdown)
      Breakdown += (Breakdown.empty() ? "" : " ") + Name + "=" + cell(Part);
    auto Find = [](const CaseValues &Values, StringRef Name) {
      for (const auto &[Key, Value] : Values)
        if (Key == Name)
          return cell(Value);
      return std::string();
    };
    for (const std::string &Text :
         {C.Dataset, C.Case, C.Kernel, C.Gpu, name(C.Part).str(), C.Model})
      OS << csvCell(Text) << ',';
    OS << cell(C.PredictedMs) << ',' << cell(C.MeasuredMs) << ','
       << cell(C.error()) << ',' << (C.Spread ? cell(*C.Spread) : "") << ','
       << csvCell(C.Noisy) << ',' << csvCell(C.Bottleneck) << ','
       << csvCell(join(C.Assumed, "; ")) << ',' << Breakdown << ','
       << C.Registers << ',' << csvCell(C.RegistersSource) << ','
       << Find(C.Measured, "registers");
    for (const auto &[Name, None] : Counters)
      OS << ',' << Find(C.Predicted, Name) << ',' << Find(C.Measured, Name);
    OS << '\n';
  }
}

} // namespace gpuestimate
