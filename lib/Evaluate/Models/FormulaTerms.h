/// \file
/// The symbols of a kernel's formulas: arguments and coordinates from the
/// kernel model, and the GPU's latencies and issue delays.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_FORMULATERMS_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_FORMULATERMS_H

#include "gpu-estimate/Evaluate/Warp/Costs.h"
#include "gpu-estimate/Symbolic/Binder.h"
#include <map>

namespace gpuestimate {

/// Names of terms: `lat.X` latency and `del.X` issue delay of class X,
///   lat.global        accesses to global, local and texture memory: the
///                     paper's lat, one value for all (lat_SM)
///   lat.shared, lat.constant
///   lat.nanosecond    cycles of the core clock in a nanosecond
///   l1.B, l2.B        share of the bytes of buffer B that hit L1, or L2 if
///                     they miss L1
/// A second value of one name (tensor instructions of another shape) becomes
/// `lat.X.2`.
class FormulaTerms {
public:
  struct Term {
    std::string Name;
    double Value;
    std::string Key; ///< of the GPU model file, or ""
  };

  FormulaTerms(const KernelModel &Kernel, const OperationCosts &Costs,
               const WarpConditions &Conditions);

  ExprContext &context() { return *Ctx; }
  const std::shared_ptr<ExprContext> &sharedContext() const { return Ctx; }
  /// A term of the kernel model in the formulas' context.
  Expr import(Expr E) { return Import(E); }

  /// Cycles from the issue of the last instruction before the chain of Op to
  /// its result: Chain * lat.X, or the access's latency.
  Expr latency(const Operation &Op);
  /// Cycles that one instruction of Op holds back the next one.
  Expr delay(const Operation &Op);
  /// A term that is not a latency or delay.
  Expr real(llvm::StringRef Name, double Value);

  /// In the order of their first use.
  const std::vector<Term> &all() const { return Used; }

private:
  Expr term(llvm::StringRef Name, double Value, std::string Key);

  /// The last term of a class, since most operations of it have the same.
  struct LastTerm {
    double Value = 0;
    Expr Term;
  };

  const KernelModel &Kernel;
  const OperationCosts &Costs;
  const WarpConditions &Conditions;
  std::array<LastTerm, NumOpClasses> Delays, Latencies;
  std::shared_ptr<ExprContext> Ctx;
  Binder Import;
  std::vector<Term> Used;
  std::map<std::pair<std::string, double>, Expr> ByValue;
  std::map<std::string, unsigned> Values; ///< name -> different values
};

} // namespace gpuestimate

#endif
