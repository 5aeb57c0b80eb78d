/// \file
/// A kernel as the source declares it: facts of the AST that LLVM IR does not
/// have. Plain data, without clang types.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_KERNELSOURCE_H
#define GPU_ESTIMATE_MODEL_KERNEL_KERNELSOURCE_H

#include "gpu-estimate/Model/Kernel/DivisionOperands.h"
#include "gpu-estimate/Model/Kernel/OffloadedNest.h"
#include "gpu-estimate/Model/Kernel/SourceAnchor.h"
#include "gpu-estimate/Support/SourceLocation.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// A member of an argument passed by value, so that a load of it can be named
/// as the user would name it.
struct AggregateMember {
  unsigned Argument = 0;     ///< index into KernelSource::Arguments
  uint64_t Offset = 0;       ///< bytes from the start of the argument
  std::string Name;          ///< "n", or "size.x" for a nested one
  KernelArgument Value = {}; ///< its kind and sizes, without a name
};

struct KernelSource {
  std::string Mangled; ///< name of the llvm::Function
  std::string Name; ///< as written, with template arguments: "ns::saxpy<float>"
  SourceLocation Location;               ///< of the name in the definition
  std::vector<KernelArgument> Arguments; ///< in order, one per parameter
  /// Scalar members of aggregate arguments, by argument and offset.
  std::vector<AggregateMember> Members;
  unsigned MaxThreadsPerBlock = 0; ///< __launch_bounds__, 0 = not given
  unsigned MinBlocksPerSm =
      0; ///< __launch_bounds__ second argument, 0 = not given
  std::optional<OffloadedNest> Nest; ///< of a kernel from plain C
  /// Is it PTX or LLVM IR, of which a compiler has already unrolled the loops?
  bool IsCompiled = false;
  /// Operands of divisions, as the user states them.
  DivisionOperands Divisions = DivisionOperands::Ordinary;
  /// What was assumed when the kernel was made: a loop nest offloaded, sizes of
  /// buffers taken from a file. Whole sentences or clauses.
  std::vector<std::string> Premises;
  /// Attributes and comments of its declarations, as the text of a comment.
  std::vector<SourceAnnotation> Notes;
};

/// A kernel of the file for which there is no code to analyse.
struct UnemittedKernel {
  std::string Name;
  SourceLocation Location;
  std::string Reason; ///< a whole clause: "the template is never instantiated
                      ///< in this file"
};

} // namespace gpuestimate

#endif
