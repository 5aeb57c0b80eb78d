/// \file
/// A module as assembly, cut into loops.
#ifndef GPU_ESTIMATE_LIB_TARGETS_CPU_ASSEMBLY_H
#define GPU_ESTIMATE_LIB_TARGETS_CPU_ASSEMBLY_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace gpuestimate {

struct AssemblyLoop {
  /// Name of the IR block that the header came from, up to its first '_'.
  std::string Header;
  /// Instructions of the blocks in this loop and in no inner loop, one per
  /// line.
  std::string Instructions;
};

/// The loops of all functions, as code generation reports them in the comments
/// of its assembly. M becomes machine code and is useless afterwards; blocks
/// need names with a '_' to be found again.
llvm::Expected<std::vector<AssemblyLoop>>
assembleLoops(llvm::Module &M, llvm::TargetMachine &Machine);

} // namespace gpuestimate

#endif
