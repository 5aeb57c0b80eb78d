/// \file
/// Loops that read a clock until it has advanced, such as
/// `while (clock64() - start < n);`. Their iterations take whatever time the
/// GPU needs, and their end does not depend on it: the loop lasts n cycles from
/// the read of start.
#ifndef GPU_ESTIMATE_LIB_LOWERING_CONTROL_CLOCKLOOPS_H
#define GPU_ESTIMATE_LIB_LOWERING_CONTROL_CLOCKLOOPS_H

#include "Lowering/Values/Values.h"
#include "llvm/IR/InstrTypes.h"

namespace gpuestimate {

/// The exit of a loop that waits for a clock.
struct ClockLoop {
  const llvm::Instruction *Start = nullptr; ///< read before the loop
  const llvm::Instruction *End = nullptr;   ///< read in each iteration
  Expr Length;                              ///< between them, in units
  Wait::UnitType Unit = Wait::CoreCycles;
};

/// A clock, and how many units of it one step is.
struct Clock {
  Wait::UnitType Unit = Wait::CoreCycles;
  double UnitsPerStep = 1;
};

/// The clock that V reads, nothing for another value: `clock()`, `clock64()`,
/// `%clock`, `%globaltimer`, AMD's s_memtime and s_memrealtime.
std::optional<Clock> clockReadBy(const llvm::Value &V);

/// The clock that L waits for if it stays in L while X Stay Y: a comparison of
/// end - start with a length that does not depend on L, in any arrangement of
/// the three. Nothing for other comparisons.
std::optional<ClockLoop> clockLoop(const llvm::Loop &L,
                                   llvm::CmpInst::Predicate Stay,
                                   const llvm::Value *X, const llvm::Value *Y,
                                   Values &V, const Unknowns &Names);

} // namespace gpuestimate

#endif
