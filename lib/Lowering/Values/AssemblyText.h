/// \file
/// The text of PTX in inline assembly, as statements with operands.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_ASSEMBLYTEXT_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_ASSEMBLYTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <string>

namespace gpuestimate {

/// One statement, such as `@p cp.async.bulk.tensor.2d.shared::cluster.global
/// [$0], [$1, {$2, $3}], [$4];`, without its guard and its labels.
class AssemblyStatement {
public:
  explicit AssemblyStatement(std::string Text) : Text(std::move(Text)) {}

  /// The whole statement on one line.
  llvm::StringRef text() const { return Text; }
  llvm::StringRef mnemonic() const;
  /// The operands as text: "[$1, {$2, $3}]" is one operand.
  llvm::SmallVector<llvm::StringRef> operands() const;
  /// The operands in brackets, without the brackets.
  llvm::SmallVector<llvm::StringRef> addresses() const;

private:
  std::string Text;
};

/// The statements of a text that execute: no scopes, comments or directives.
llvm::SmallVector<AssemblyStatement> assemblyStatements(llvm::StringRef Text);

/// The statements of a call of inline assembly; none of another instruction.
llvm::SmallVector<AssemblyStatement>
assemblyStatements(const llvm::Instruction &I);

/// The value of the call I that an operand "$3" (or "${3}", "$3+16") names:
/// null for a result, a number or a register.
const llvm::Value *assemblyArgument(const llvm::CallBase &I,
                                    llvm::StringRef Operand);

/// An operand that is a number, written or passed as a constant.
std::optional<int64_t> assemblyConstant(const llvm::CallBase &I,
                                        llvm::StringRef Operand);

/// Whether I asks if a phase of an mbarrier has ended: mbarrier.test_wait or
/// mbarrier.try_wait.
bool testsPhase(const llvm::Instruction &I);

} // namespace gpuestimate

#endif
