/// \file
/// Errors of times that are transferred from one GPU to another
/// (TransferredTime): of a launch that was measured on A and B,
///
///   error = (measured on A * predicted on B / predicted on A) / measured on B,
///
/// in which errors that both predictions share cancel.
#ifndef GPU_ESTIMATE_VALIDATE_TRANSFERSTATISTICS_H
#define GPU_ESTIMATE_VALIDATE_TRANSFERSTATISTICS_H

#include "gpu-estimate/Evaluate/Uncertainty/ModelError.h"
#include "gpu-estimate/Validate/Validation.h"

namespace gpuestimate {

/// One launch on two GPUs, by the default model. A has the id that is
/// first in the alphabet.
struct TransferPair {
  const CaseResult *A, *B;

  /// ln of the error above.
  double error() const;
};

/// All pairs of cases that count and launch the same on two GPUs: those of one
/// dataset, and those of whole programs in all datasets.
std::vector<TransferPair> transferPairs(const Validation &V);

/// The mean spread of the two times, by which their error is scaled.
double transferSpread(const ErrorTable &Table, const TransferPair &P);

/// The pairs of two GPUs.
struct TransferRow {
  std::string From, To; ///< "" stands for all GPUs
  size_t Pairs = 0, Programs = 0;
  double MedianApe = 0; ///< of exp(|error|) - 1
  double Factor = 1;    ///< exp(mean |error|)
  /// Factor of each time by itself, before the transfer.
  double FactorOfTimes = 1;
  double Covered = 0;     ///< share of the pairs within the interval of 80 %
  double MedianRatio = 1; ///< of the end of the interval by its begin
};

/// Rows by pair of GPUs, in the order of the cases, then all. Every program has
/// the same weight. Intervals are made without the programs of the pair.
std::vector<TransferRow> transferStatistics(const Validation &V);

} // namespace gpuestimate

#endif
