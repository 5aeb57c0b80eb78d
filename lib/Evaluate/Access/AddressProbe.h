/// \file
/// The address of one access at single points of a launch.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_ADDRESSPROBE_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_ADDRESSPROBE_H

#include "LaneValues.h"

namespace gpuestimate {

/// The first thread of a block; coordinates and counters are 0 until they are
/// set. What the address is a multiple of is kept apart from the rest, which
/// often is nothing: then there is nothing to compile.
class AddressProbe {
public:
  AddressProbe(const BoundKernel &Bound, unsigned Access);

  // An input's number is its place in BoundKernel::names().
  static constexpr unsigned block(unsigned Dimension) { return 3 + Dimension; }
  static constexpr unsigned counter(unsigned Loop) { return 6 + Loop; }
  void set(unsigned Input, double Value) { Inputs[Input] = Value; }
  void setBlock(unsigned Dimension, double Index) {
    set(block(Dimension), Index);
  }
  void setCounter(unsigned Loop, double Iteration) {
    set(counter(Loop), Iteration);
  }
  double operator()();

  /// Bytes by which the address moves with each step of an input, where it
  /// does so exactly from 0 to Count, the others being as they are.
  std::optional<double> step(unsigned Input, double Count);

  /// Equal ones say that two addresses are a constant apart for all values of
  /// the input, the others being as they are. Empty where that is not known.
  std::vector<uint64_t> course(unsigned Input) const;
  /// The same for all values of all inputs, the difference being that of the
  /// constants.
  std::vector<uint64_t> form() const;
  double constant() const { return Constant; }

private:
  /// Adds Factor * E.
  void collect(Expr E, double Factor);
  double compute();
  void appendForm(std::vector<uint64_t> &Out) const;

  struct Multiple {
    unsigned Input;
    double Step;
  };
  const BoundKernel &Bound;
  Expr Address;
  llvm::SmallVector<Multiple, 8> Multiples;
  double Constant = 0;
  bool Whole; ///< all of these are integers
  struct Term {
    Expr Of;
    double Factor;
  };
  std::vector<Term> Rest;
  std::vector<char> InRest; ///< [input] the rest depends on it
  std::vector<double> Inputs;
  std::optional<CompiledExprs> Program; ///< of the whole address
};

} // namespace gpuestimate

#endif
