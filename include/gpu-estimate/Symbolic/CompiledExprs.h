/// \file
/// A list of expressions compiled to one flat program over numbered inputs:
/// shared subterms are computed once, no hashing or allocation while it runs.
/// Made for evaluating the same terms for the lanes of many warps.
#ifndef GPU_ESTIMATE_SYMBOLIC_COMPILEDEXPRS_H
#define GPU_ESTIMATE_SYMBOLIC_COMPILEDEXPRS_H

#include "gpu-estimate/Symbolic/Expr.h"

namespace gpuestimate {

class CompiledExprs {
public:
  /// Inputs gives the order of the input slots. A free parameter that is not
  /// among Inputs evaluates to NaN (as does a division by zero); NaN is the
  /// "unknown" value and propagates, except through Mul by an exact 0 and a
  /// Select whose condition is known.
  CompiledExprs(llvm::ArrayRef<Expr> Exprs, llvm::ArrayRef<std::string> Inputs);

  unsigned numInputs() const { return NumInputs; }
  unsigned numOutputs() const { return Outputs.size(); }

  /// One binding. Inputs: numInputs() values; Out: numOutputs() values.
  /// Not thread-safe on one object (it owns scratch space).
  void evaluate(llvm::ArrayRef<double> Inputs, llvm::MutableArrayRef<double> Out);

  /// Width bindings at once, structure of arrays: input k of binding l is
  /// Inputs[k * Width + l], output likewise. Each operation is a loop over
  /// the Width bindings, which the compiler vectorises.
  void evaluateMany(llvm::ArrayRef<double> Inputs, llvm::MutableArrayRef<double> Out,
                    unsigned Width);

private:
  struct Instruction;
  std::vector<Instruction> Program;
  std::vector<double> Constants;
  std::vector<unsigned> Outputs; ///< slot of each output
  std::vector<double> Slots;
  unsigned NumInputs = 0;
  unsigned NumSlots = 0;
};

} // namespace gpuestimate

#endif
