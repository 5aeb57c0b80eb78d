#include "gpu-estimate/Validate/Ablation.h"

#include "gpu-estimate/Model/Result/Term.h"
#include "gpu-estimate/Validate/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace gpuestimate {

/// A smaller change of a time is none.
static constexpr double ChangedBy = 0.01;

double AblationRow::gain() const {
  return With.Factor && Without.Factor
             ? std::log(*Without.Factor / *With.Factor)
             : 0;
}

/// The counted cases of a dataset that were predicted without Term, with and
/// without it.
static std::optional<AblationRow>
rowOf(const Validation &V, llvm::StringRef Dataset, llvm::StringRef Term) {
  AblationRow Row;
  Row.Term = Term.str();
  Row.Dataset = Dataset.str();
  std::vector<CaseResult> Ablated;
  std::vector<const CaseResult *> Whole;
  for (const CaseResult &C : V.Cases) {
    if (C.Dataset != Dataset || !C.counts())
      continue;
    auto Entry = llvm::find_if(
        C.Without, [&](const auto &Entry) { return Entry.first == Term; });
    if (Entry == C.Without.end())
      continue;
    Whole.push_back(&C);
    Ablated.push_back(C);
    Ablated.back().PredictedMs = Entry->second;
    if (std::abs(Entry->second - C.PredictedMs) > ChangedBy * C.PredictedMs)
      ++Row.Changed;
  }
  if (Row.Changed == 0)
    return std::nullopt;
  std::vector<const CaseResult *> Pointers;
  for (const CaseResult &C : Ablated)
    Pointers.push_back(&C);
  Row.With = summarize(Whole);
  Row.Without = summarize(Pointers);
  return Row;
}

std::vector<AblationRow> ablation(const Validation &V) {
  std::vector<AblationRow> Result;
  for (const TermInfo &Term : termTable()) {
    std::vector<AblationRow> Rows;
    for (const ValidatedDataset &D : V.Datasets)
      if (std::optional<AblationRow> Row = rowOf(V, D.Name, Term.Name))
        Rows.push_back(std::move(*Row));
    llvm::stable_sort(Rows, [](const AblationRow &A, const AblationRow &B) {
      return std::abs(A.gain()) > std::abs(B.gain());
    });
    llvm::append_range(Result, Rows);
  }
  return Result;
}

} // namespace gpuestimate
