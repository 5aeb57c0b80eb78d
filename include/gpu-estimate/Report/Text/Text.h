/// \file
/// The report for people: per kernel and launch one bottom line, then labelled
/// parts. Deterministic, plain ASCII, no colours. Notices are not part of it:
/// they are for standard error.
#ifndef GPU_ESTIMATE_REPORT_TEXT_TEXT_H
#define GPU_ESTIMATE_REPORT_TEXT_TEXT_H

#include "gpu-estimate/Advice/AssumptionGroups.h"
#include "gpu-estimate/Model/Result/Analysis.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

struct TextOptions {
  bool Formulas = false;   ///< print the symbolic time, delay and memory
  bool Assumptions = true; ///< list them
};

void printText(llvm::raw_ostream &OS, const Analysis &A,
               const TextOptions &Options);

/// "'matmul' takes 1.23 ms on NVIDIA A100, bound by dram-bandwidth (grid 64x64,
/// block 16x16 from host-code)": the first sentence of an estimate. If A has
/// several estimates of the kernel on the GPU for equal launches, the arguments
/// in which they differ follow the sizes. Without a known size: "'scale' has no
/// time on NVIDIA A100 without n; n = 1 K, 1 M: 2.4 us, 6.6 us (block 256);
/// settle with --param n=VALUE".
std::string bottomLine(const Analysis &A, const ExplainedPrediction &E);

/// What is known beside the points of a table, each a sentence without its
/// period: the time for each unit and the line, the crossover, and the values
/// that other unknown sizes have.
std::vector<std::string> curveFacts(const ExplainedPrediction &E);

/// "function 'smooth' takes 1.2 ms on NVIDIA A100 in 3 launches", and the like
/// for one execution of a sequence.
std::string totalLine(const FunctionTotal &F);
std::string totalLine(const SequenceTotal &S);

/// "3 x kGemm (jit_f.thunk_sequence.txt:4): cuBLAS": steps of S without a time.
std::string missingLine(const SequenceTotal &S,
                        const SequenceTotal::Missing &M);

/// "370-460 us"; "" where the prediction has no interval.
std::string intervalText(const Prediction &P);
std::string intervalText(const SizeCurve::Point &P);

/// "see the launch with grid 214, block 256, offset = 16: the loop around it
/// spends more time there", with the arguments that differ. E.FoundAt is set.
std::string foundElsewhere(const ExplainedPrediction &E);
/// "at 212 W of 250 W: 87 mJ; dram 34%, idle 20%", or why there is no power;
/// "" for a prediction that has neither.
std::string powerText(const PowerEstimate &P);
/// "the limit lowers the core clock to 1.21 GHz: 1.42 ms, 355 mJ", or "".
std::string throttledText(const PowerEstimate &P);

/// "trip count of the loop at f.cu:12 = 16 (4 copies)"
std::string assumed(const AssumptionGroup &G);

/// Describes a budget that is exceeded or whose kernel has no estimate; "" for
/// a budget that is kept.
std::string budgetLine(const BudgetCheck &Check);

} // namespace gpuestimate

#endif
