/// \file
/// The cases with a base point, for programs that learn: one line each, with
/// the features at the base points.
#include "gpu-estimate/Report/Validation/Validation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

static std::string numberCell(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.6g", Value);
  return Text;
}

static void printFeatures(raw_ostream &OS, StringRef Kind,
                          const CaseValues &Features) {
  for (const auto &[Name, Value] : Features)
    OS << ' ' << Kind << ':' << Name << '=' << numberCell(Value);
}

void printValidationScaling(raw_ostream &OS, const Validation &V) {
  StringMap<const CaseResult *> Bases; // by dataset and case
  auto Key = [](const CaseResult &C, StringRef Case) {
    return C.Dataset + "/" + Case.str();
  };
  for (const CaseResult &C : V.Cases)
    if (C.Model == DefaultModel && C.counts())
      Bases[Key(C, C.Case)] = &C;
  StringSet<> UsedBases;
  for (const CaseResult &C : V.Cases)
    if (!C.Base.empty())
      UsedBases.insert(Key(C, C.Base));
  OS << "dataset,kernel,gpu,base_core_mhz,base_memory_mhz,sm_count,core_mhz,"
        "memory_mhz,measured_ms,predicted_ms,features\n";
  for (const CaseResult &C : V.Cases) {
    if (C.Model != DefaultModel || !C.counts())
      continue;
    bool IsBase = UsedBases.contains(Key(C, C.Case));
    const CaseResult *Base = IsBase           ? &C
                             : C.Base.empty() ? nullptr
                                              : Bases.lookup(Key(C, C.Base));
    if (!Base)
      continue;
    OS << C.Dataset << ',' << C.Kernel << ',' << C.Gpu << ','
       << numberCell(Base->Configuration.CoreMhz) << ','
       << numberCell(Base->Configuration.MemoryMhz) << ','
       << C.Configuration.SmCount << ',' << numberCell(C.Configuration.CoreMhz)
       << ',' << numberCell(C.Configuration.MemoryMhz) << ','
       << numberCell(C.MeasuredMs) << ',' << numberCell(C.PredictedMs) << ',';
    if (IsBase) {
      printFeatures(OS, "static", C.StaticFeatures);
      printFeatures(OS, "counter", C.CounterFeatures);
    }
    OS << '\n';
  }
}

} // namespace gpuestimate
