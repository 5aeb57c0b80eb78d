/// \file
/// What device compilers decide differently, in one table.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_COMPILERHABITS_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_COMPILERHABITS_H

#include "gpu-estimate/Model/Kernel/DeviceCompiler.h"
#include <cstdint>

namespace llvm {
class Module;
}

namespace gpuestimate {

/// Limits of complete unrolling and of copies. Costs are those of UnrollCost.h:
/// one for most instructions of the IR, of all copies of the body.
struct CompilerHabits {
  /// Cost from which a loop of constant trip count without a pragma stays.
  uint64_t PlainLoop;
  /// Cost from which a loop stays whose counter selects elements of a private
  /// array, which unrolling moves to registers.
  uint64_t LoopOverPrivateArray;
  /// Instructions of a loop with `#pragma unroll` up to which it is unrolled,
  /// without address arithmetic (bodySize() of LoopCopies.h).
  uint64_t LoopWithPragma;
  /// A trip count that depends on data may have a constant bound, as in
  /// `i < min(8, n)`. Bounds up to which a loop with a pragma, and one over a
  /// private array, is unrolled to the bound, with a test in each copy.
  unsigned BoundWithPragma, BoundOverPrivateArray;
  /// Bytes up to which a structure that a kernel takes by value is copied where
  /// a variable selects a part of it. A larger one that is only read is read
  /// where it lies, through copies in the source, too.
  uint64_t CopiedStructure;
};

/// The limits of the compiler, with the measurement behind each.
const CompilerHabits &habitsOf(DeviceCompiler Compiler);

/// The compiler that the module's flag "gpu-estimate.compiler" names, which the
/// front end sets. Code without it (PTX, LLVM IR, loop nests of C) has been
/// compiled, or is compiled by clang.
DeviceCompiler compilerOf(const llvm::Module &M);

} // namespace gpuestimate

#endif
