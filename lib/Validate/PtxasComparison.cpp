#include "gpu-estimate/Validate/PtxasComparison.h"

#include "gpu-estimate/Validate/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace gpuestimate {

/// Registers are allocated in eights and counted exactly: two more or less are
/// another temporary of the same code.
static constexpr double NearBy = 2;

static std::optional<double> measuredRegisters(const CaseResult &C) {
  for (const auto &[Name, Value] : C.Measured)
    if (Name == "registers" && Value > 0)
      return Value;
  return std::nullopt;
}

static PtxasRow rowOf(llvm::StringRef Dataset,
                      llvm::ArrayRef<const CaseResult *> Cases) {
  PtxasRow Row;
  Row.Dataset = Dataset.str();
  std::vector<CaseResult> Assembled;
  std::vector<const CaseResult *> Estimated;
  for (const CaseResult *C : Cases) {
    Row.Assembled += C->Ptxas->Assembled;
    if (C->Ptxas->Refused) {
      ++Row.Refused;
      continue;
    }
    Estimated.push_back(C);
    Assembled.push_back(*C);
    Assembled.back().PredictedMs = C->Ptxas->PredictedMs;
    if (std::optional<double> Measured = measuredRegisters(*C)) {
      ++Row.Counted;
      Row.NearEstimated += std::abs(C->Registers - *Measured) <= NearBy;
      Row.NearWithPtxas += std::abs(C->Ptxas->Registers - *Measured) <= NearBy;
    }
  }
  if (Row.Counted > 0) {
    Row.NearEstimated /= Row.Counted;
    Row.NearWithPtxas /= Row.Counted;
  }
  std::vector<const CaseResult *> Pointers;
  for (const CaseResult &C : Assembled)
    Pointers.push_back(&C);
  Row.Estimated = summarize(Estimated);
  Row.WithPtxas = summarize(Pointers);
  return Row;
}

std::vector<PtxasRow> ptxasComparison(const Validation &V) {
  std::vector<PtxasRow> Rows;
  for (const ValidatedDataset &D : V.Datasets) {
    std::vector<const CaseResult *> Cases;
    for (const CaseResult &C : V.Cases)
      if (C.Dataset == D.Name && C.counts() && C.Ptxas)
        Cases.push_back(&C);
    if (!Cases.empty())
      Rows.push_back(rowOf(D.Name, Cases));
  }
  return Rows;
}

} // namespace gpuestimate
