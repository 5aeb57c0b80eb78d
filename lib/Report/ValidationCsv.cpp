/// \file
/// A validation for spreadsheets and plotting programs.
#include "gpu-estimate/Report/Validation.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

/// RFC 4180: in quotes where it must be.
static std::string cell(StringRef Text) {
  if (Text.find_first_of(",\"\r\n") == StringRef::npos)
    return Text.str();
  std::string Quoted = "\"";
  for (char C : Text)
    Quoted += C == '"' ? "\"\"" : std::string(1, C);
  return Quoted + "\"";
}

static std::string cell(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.9g", Value);
  return Text;
}

void printValidationCsv(raw_ostream &OS, const Validation &V) {
  OS << "dataset,case,kernel,gpu,split,model,predicted_ms,measured_ms,error,"
        "spread,noisy,bottleneck,breakdown,registers,registers_source,"
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
      OS << cell(Text) << ',';
    OS << cell(C.PredictedMs) << ',' << cell(C.MeasuredMs) << ','
       << cell(C.error()) << ',' << (C.Spread ? cell(*C.Spread) : "") << ','
       << cell(C.Noisy) << ',' << cell(C.Bottleneck) << ',' << Breakdown << ','
       << C.Registers << ',' << cell(C.RegistersSource) << ','
       << Find(C.Measured, "registers");
    for (const auto &[Name, None] : Counters)
      OS << ',' << Find(C.Predicted, Name) << ',' << Find(C.Measured, Name);
    OS << '\n';
  }
}

} // namespace gpuestimate
