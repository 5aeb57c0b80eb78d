/// \file
/// Ablation: what each term of the default model is worth. The cases of a
/// dataset are predicted again with one term switched off (`--without`), and
/// the errors compared. A term that brings nothing on any dataset is not
/// needed.
#ifndef GPU_ESTIMATE_VALIDATE_ABLATION_H
#define GPU_ESTIMATE_VALIDATE_ABLATION_H

#include "gpu-estimate/Validate/Validation.h"

namespace gpuestimate {

struct AblationRow {
  std::string Term, Dataset;
  /// Cases that count whose time changes by more than 1% without the term.
  size_t Changed = 0;
  ErrorStatistics With, Without; ///< of all cases of the dataset that count

  /// ln(factor without the term / factor with it): above 0 where the term makes
  /// predictions better. 0 where a factor is unknown.
  double gain() const;
};

/// A row for each term and dataset in which a case changes: terms in the order
/// of termTable(), of each the dataset first on which it changes most. Empty
/// unless the validation predicted cases without terms (CaseResult::Without).
std::vector<AblationRow> ablation(const Validation &V);

} // namespace gpuestimate

#endif
