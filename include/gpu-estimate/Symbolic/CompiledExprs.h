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

  /// Evaluates one binding: Inputs holds a value for each input of the
  /// constructor, Out receives the value of each expression. Not thread-safe on
  /// one object, which owns scratch space.
  void evaluate(llvm::ArrayRef<double> Inputs,
                llvm::MutableArrayRef<double> Out) const;

  /// Evaluates Width bindings at once, as structure of arrays: input k of
  /// binding l is Inputs[k * Width + l], output k is Out[k * Width + l]. Each
  /// operation is a loop over the bindings, which the compiler vectorises.
  void evaluateMany(llvm::ArrayRef<double> Inputs,
                    llvm::MutableArrayRef<double> Out, unsigned Width) const;

private:
  friend class ExprCompiler;
  enum class Opcode : uint8_t;
  /// Slot[Result] = Op(Slot[A], Slot[B], Slot[C]). A Sum is followed by the
  /// Length instructions of its body; A is the count, B the variable's slot
  /// and C the body's result.
  struct Instruction {
    Opcode Op;
    unsigned Result, A, B, C, Length;
  };

  template <unsigned Lanes>
  void run(const Instruction *Begin, const Instruction *End,
           double *Slots) const;
  template <unsigned Lanes>
  void runSum(const Instruction &Sum, double *Slots) const;

  std::vector<Instruction> Program;
  std::vector<unsigned> Outputs; ///< slot of each output
  std::vector<unsigned> Used;    ///< inputs that the program reads
  /// Scratch of one binding and of a chunk of bindings (empty until there is
  /// one). Slots: the inputs, then constants (set once), then results.
  mutable std::vector<double> Narrow, Wide;
  unsigned NumInputs = 0;
};

} // namespace gpuestimate

#endif
