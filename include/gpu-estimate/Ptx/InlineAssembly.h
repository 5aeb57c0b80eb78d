/// \file
/// PTX in inline assembly of NVPTX: `asm("mov.u32 %0, %%laneid;" :
/// "=r"(lane))`. It is parsed and translated as the PTX of a file is
/// (ReadPtx.h); its operands "$0", "$1", ... are registers.
#ifndef GPU_ESTIMATE_PTX_INLINEASSEMBLY_H
#define GPU_ESTIMATE_PTX_INLINEASSEMBLY_H

#include "gpu-estimate/Ptx/Syntax.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>

namespace llvm {
class CallBase;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace gpuestimate {

/// What the translation of inline assembly is for.
enum class AssemblyUse : uint8_t {
  /// For an estimate. What LLVM IR cannot say in as many instructions as the
  /// machine executes stays inline assembly, one call for each statement.
  Estimate,
  /// For execution on the host: everything that LLVM IR can compute.
  Execution
};

/// Replaces calls of inline assembly in M by the LLVM IR of their statements,
/// if M is for NVPTX. A statement that LLVM has no word for becomes a call of
/// its own with one statement (InlineAssembly). Text that cannot be parsed,
/// that returns from the function or calls another one stays as it is.
///
/// For an estimate, results of arithmetic pass through an empty assembly that
/// no optimisation looks into, since clang does not look into the original
/// either; removeAssemblyFences() takes it away behind the optimisation.
void translateInlineAssembly(llvm::Module &M, AssemblyUse Use);

void removeAssemblyFences(llvm::Module &M);
/// The operand of such an empty assembly; null for another instruction.
llvm::Value *fencedByAssembly(const llvm::Instruction &I);

/// Finds the pointers behind the numbers that inline assembly has for
/// addresses, such as those of 32 bits for shared memory. Call it when the
/// values of local variables are known.
void recoverAssemblyPointers(llvm::Module &M);

/// The instructions in the text of one call of inline assembly.
class InlineAssembly {
public:
  /// The instructions of I; none if I is another instruction, or if its text is
  /// no PTX.
  explicit InlineAssembly(const llvm::Instruction &I);
  InlineAssembly(InlineAssembly &&) = default;

  llvm::ArrayRef<PtxInstruction> instructions() const { return Instructions; }
  /// Has the text something that is no PTX?
  bool isUnreadable() const { return Unreadable; }

  /// The value of the call's operand that O names, as "$3" or "[$3+16]" do;
  /// null for a result, a number or a register.
  const llvm::Value *argument(const PtxOperand &O) const;
  /// An operand that is an integer, written or passed as a constant.
  std::optional<int64_t> constant(const PtxOperand &O) const;

private:
  const llvm::CallBase *Call = nullptr;
  std::unique_ptr<std::string> Text; ///< that Instructions refer to
  std::vector<PtxInstruction> Instructions;
  bool Unreadable = false;
};

} // namespace gpuestimate

#endif
