/// \file
/// The kernel model of Kleimenov & Popova 2021 as formulas,
///
///   m_kernel = < time, delay, mem, uncoalMem, l1pct, l2pct, syncs, registers,
///                sharedMem >
///
/// each a symbolic expression of one thread. Example: `time` of a loop of
/// dependent multiply-adds is `n*(lat.fp32_fma + ...)`, in cycles.
#ifndef GPU_ESTIMATE_MODEL_RESULT_KERNELFORMULAS_H
#define GPU_ESTIMATE_MODEL_RESULT_KERNELFORMULAS_H

#include "gpu-estimate/Symbolic/Expr.h"
#include <memory>
#include <string>
#include <vector>

namespace gpuestimate {

/// A parameter of the formulas with its value for one GPU and launch.
struct FormulaParameter {
  enum KindType : uint8_t {
    Argument,   ///< of the kernel, or dynamicSharedBytes
    Coordinate, ///< threadIdx.x ... gridDim.z
    Cost,       ///< latency `lat.X` or issue delay `del.X`, in cycles
    HitRate,    ///< `l1.BUFFER`, `l2.BUFFER`: fractions of this launch
    Assumption, ///< what the source does not determine
  } Kind = Argument;
  std::string Name;
  double Value = 0; ///< NaN if it is not known
  std::string Unit; ///< "cycles", or ""
  /// Where the value comes from: "operations.fp32_fma.latency (vendor)", or the
  /// reason why it is assumed.
  std::string Source;
};

/// "argument", "coordinate", "cost", "hit-rate", "assumption"
llvm::StringRef name(FormulaParameter::KindType Kind);

struct KernelFormula {
  std::string Name; ///< "time", "delay", "delay.fp32", "mem", "uncoal_mem" ...
  std::string Meaning; ///< "Bytes of shared memory of a block"
  Expr Value;
  /// Follows the text of a formula that ends early because it is too long: it
  /// holds the first blocks in execution order. Else empty.
  std::string CutOff = {};
};

/// Empty unless WantedResults::Formulas asks for it.
struct KernelFormulas {
  std::shared_ptr<ExprContext> Context;     ///< owns the formulas
  std::vector<KernelFormula> Tuple;         ///< in the order of m_kernel
  std::vector<FormulaParameter> Parameters; ///< that occur in the formulas
  /// Under what the formulas hold, in whole clauses.
  std::vector<std::string> Remarks;
  /// Cycles of `time` on the longest sampled path of the launch.
  double TimeOfLongestWarp = 0;
};

} // namespace gpuestimate

#endif
