/// \file
/// Inline PTX as LLVM instructions: a statement at a time, registers are
/// values.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_ASSEMBLYLOWERING_H
#define GPU_ESTIMATE_LIB_EXECUTE_ASSEMBLYLOWERING_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace gpuestimate {

/// Translates the text of one inline assembly. PTX without labels and branches:
/// arithmetic, comparisons, guards, loads and stores, atomics, shuffles, votes
/// and barriers.
class AssemblyLowering {
public:
  using Builder = llvm::IRBuilder<>;
  /// Makes the value of an operation for which LLVM has an NVVM intrinsic:
  /// "shfl.sync.up.i32p" and its arguments.
  using IntrinsicMaker = llvm::function_ref<llvm::Value *(
      llvm::StringRef Name, llvm::Type *Result,
      llvm::ArrayRef<llvm::Value *> Arguments)>;
  /// The value of a special register: "laneid".
  using RegisterMaker = llvm::function_ref<llvm::Value *(llvm::StringRef Name)>;

  AssemblyLowering(llvm::CallBase &Call, Builder &B, llvm::Value *SharedBase,
                   IntrinsicMaker MakeIntrinsic, RegisterMaker MakeRegister)
      : Call(Call), B(B), SharedBase(SharedBase), MakeIntrinsic(MakeIntrinsic),
        MakeRegister(MakeRegister) {}

  /// The value in place of the call; null for none. Unsupported statements set
  /// problem().
  llvm::Value *run();
  const std::string &problem() const { return Problem; }

private:
  struct Statement {
    llvm::StringRef Guard;                    ///< "p", "!p", or ""
    llvm::SmallVector<llvm::StringRef> Words; ///< of the opcode
    llvm::SmallVector<llvm::StringRef> Operands;
  };

  void bindOperands();
  bool parse(llvm::StringRef Text, Statement &S);
  bool lower(const Statement &S);
  bool lowerMove(const Statement &S);
  bool lowerInteger(const Statement &S);
  bool lowerReal(const Statement &S);
  bool lowerBits(const Statement &S);
  bool lowerCarry(const Statement &S);
  bool lowerCompare(const Statement &S);
  bool lowerConvert(const Statement &S);
  bool lowerMemory(const Statement &S);
  bool lowerAtomic(const Statement &S);
  bool lowerWarp(const Statement &S);
  bool lowerAsyncCopy(const Statement &S);
  bool lowerVideo(const Statement &S);

  bool fail(const llvm::Twine &What);
  /// The type that the last type word of the opcode names; null for none.
  llvm::Type *typeOf(const Statement &S) const;
  static llvm::Type *typeNamed(llvm::StringRef Word, llvm::LLVMContext &C);
  static bool isSigned(const Statement &S);
  static bool has(const Statement &S, llvm::StringRef Word);
  llvm::Value *read(llvm::StringRef Operand, llvm::Type *T);
  /// A predicate, possibly negated by '!'.
  llvm::Value *readPredicate(llvm::StringRef Operand);
  void write(const Statement &S, llvm::StringRef Operand, llvm::Value *V);
  llvm::Value *address(const Statement &S, llvm::StringRef Operand);
  llvm::Value *coerce(llvm::Value *V, llvm::Type *T);

  llvm::CallBase &Call;
  Builder &B;
  llvm::Value *SharedBase;
  IntrinsicMaker MakeIntrinsic;
  RegisterMaker MakeRegister;
  llvm::StringMap<llvm::Value *> Registers; ///< "$0", "p"
  llvm::StringMap<llvm::Type *> Declared;
  llvm::SmallVector<llvm::Type *> Outputs;
  llvm::Value *Carry = nullptr;
  std::string Problem;
};

} // namespace gpuestimate

#endif
