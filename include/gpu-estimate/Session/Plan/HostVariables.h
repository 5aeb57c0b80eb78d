/// \file
/// Values of the host variables that a launch's expressions leave open.
#ifndef GPU_ESTIMATE_SESSION_PLAN_HOSTVARIABLES_H
#define GPU_ESTIMATE_SESSION_PLAN_HOSTVARIABLES_H

#include "gpu-estimate/Session/Plan/LaunchPlan.h"
#include "llvm/ADT/StringSet.h"

namespace gpuestimate {

class HostVariables {
public:
  HostVariables(const KernelModel &Kernel, const LaunchSite &Site,
                const LaunchVariant *Variant, const Bindings &Named,
                const GpuModel *Gpu);

  /// Sets a value of the launch, such as blockDim.x.
  void set(llvm::StringRef Name, double Value) { KnownValues[Name] = Value; }

  /// Settles the variable that a size of the launch leaves open, where somebody
  /// tells the size that E makes. Of several values that make it the roundest
  /// is taken and stated as an assumption: host code rounds n up or down to
  /// whole blocks, and n is most often whole blocks itself. What: of the size,
  /// "gridDim.x".
  void solveForSize(Expr E, uint64_t Size, llvm::StringRef What);

  /// Value of a host expression, guessing variables that nothing determines;
  /// nullopt where the expression has no value (a division by zero).
  std::optional<double> evaluate(Expr E);

  /// Whether nothing in the source or the settings tells the variable's value.
  bool isUndetermined(llvm::StringRef Variable) const;
  /// Whether the value of E rests on a guess that evaluate made.
  bool guessed(Expr E) const;
  /// Whether nothing but the source and the settings decides the value of E.
  bool isFixed(Expr E) const;
  /// Whether evaluate() would not have to guess, other than an initial value.
  bool knows(Expr E) const;

  /// The contents of the launch's buffers with numbers for host variables;
  /// buffers that would need a guess are left out.
  ContentsOfBuffers contents() const;

  /// The guesses that evaluate() had to make, in order of their names.
  std::vector<LaunchGuess> takeGuesses();

  /// A parameter whose value host code fixes to another one, while sizes of
  /// the launch Used stay those of host code.
  std::vector<std::string> contradictions(const Launch &Used) const;

  const KernelArgument *argument(llvm::StringRef Name) const;

private:
  void solveForNamedArguments();
  /// Binds Variable so that E(Variable) = Target, where E is linear in it.
  void solve(Expr E, llvm::StringRef Variable, double Target);
  /// Whether the value is known or a property of the GPU; adds it to
  /// KnownValues.
  bool learn(llvm::StringRef Name) const;
  void guess(llvm::StringRef Variable);
  /// Adds a guess, or its variable to the guess of the same value for other
  /// elements of its array.
  void addGuess(LaunchGuess Guess);
  /// Sets the result of an occupancy query of the runtime.
  void answer(llvm::StringRef Name, const OccupancyQuery &Query);
  bool decidesLaunch(llvm::StringRef Variable) const;
  /// Is it a number of bits, n in `1 << n`?
  bool isShiftAmount(llvm::StringRef Variable);
  bool decidesLinearGrid(llvm::StringRef Variable) const;
  /// A value for Variable that, taken for all that the grid leaves open, gives
  /// a launch of about a million threads; a usual block where it decides that.
  double guessForLaunch(llvm::StringRef Variable);

  const KernelModel &Kernel;
  const LaunchSite &Site;
  const Bindings &Named;
  const GpuModel *Gpu; ///< may be null
  /// Variables by which the launch or the kernel shifts; none until asked for.
  std::optional<llvm::StringSet<>> ShiftAmounts;
  mutable Bindings KnownValues;
  Bindings Planned; ///< guesses to come for the grid's other variables
  std::vector<LaunchGuess> Guesses;
  llvm::StringSet<> Guessed;              ///< variables of Guesses
  llvm::StringMap<size_t> GuessesByArray; ///< index in Guesses, by its name
};

} // namespace gpuestimate

#endif
