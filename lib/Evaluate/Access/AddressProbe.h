/// \file
/// Evaluation of the address of one access at single points of a launch.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_ADDRESSPROBE_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_ADDRESSPROBE_H

#include "LaunchProgram.h"

namespace gpuestimate {

/// The address of an access in the first thread of a block, as a function of
/// blockIdx and the loop counters, which are 0 until they are set. The address
/// is split into Constant + sum of Step * input + other terms; without other
/// terms, which is common, no expression is compiled.
class AddressProbe {
public:
  AddressProbe(const LaunchProgram &Bound, unsigned Access);

  // Inputs are numbered as in LaunchProgram::names().
  static constexpr unsigned block(unsigned Dimension) {
    return LaunchProgram::blockInput(Dimension);
  }
  static constexpr unsigned counter(unsigned Loop) {
    return LaunchProgram::counterInput(Loop);
  }
  void set(unsigned Input, double Value) { Inputs[Input] = Value; }
  void setBlock(unsigned Dimension, double Index) {
    set(block(Dimension), Index);
  }
  void setCounter(unsigned Loop, double Iteration) {
    set(counter(Loop), Iteration);
  }
  double operator()();

  /// Stride in bytes per unit of an input, if the address is exactly linear in
  /// that input from 0 to Count; the other inputs keep their values.
  std::optional<double> step(unsigned Input, double Count);

  /// A key: two addresses with equal keys differ by a constant for all values
  /// of the input; the other inputs keep their values. Empty if the address is
  /// not an integer expression.
  std::vector<uint64_t> course(unsigned Input) const;
  /// A key: two addresses with equal keys differ by the difference of their
  /// constant() for all values of all inputs. Empty as for course().
  std::vector<uint64_t> form() const;
  double constant() const { return Constant; }

private:
  /// Adds Factor * E to the split form.
  void collect(Expr E, double Factor);
  double compute();
  void appendForm(std::vector<uint64_t> &Out) const;

  struct Multiple {
    unsigned Input;
    double Step;
  };
  const LaunchProgram &Bound;
  Expr Address;
  llvm::SmallVector<Multiple, 8> Multiples;
  double Constant = 0;
  bool IsInteger; ///< the address, Constant and all steps
  struct Term {
    Expr E;
    double Factor;
  };
  std::vector<Term> OtherTerms;
  std::vector<char> IsInOtherTerms; ///< [input]
  std::vector<double> Inputs;
  std::optional<CompiledExprs> Program; ///< the address
};

} // namespace gpuestimate

#endif
