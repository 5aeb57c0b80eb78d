/// \file
/// Instructions that compute: arithmetic, logic, comparison, data movement
/// between registers (PTX ISA, "Integer Arithmetic" to "Logic and Shift").
#ifndef GPU_ESTIMATE_LIB_PTX_ARITHMETIC_H
#define GPU_ESTIMATE_LIB_PTX_ARITHMETIC_H

#include "Operands.h"

namespace gpuestimate {

class PtxArithmetic {
public:
  PtxArithmetic(llvm::IRBuilder<> &B, PtxOperands &Operands)
      : B(B), Operands(Operands) {}

  /// Appends the code of I. False if I is none of these instructions, or has a
  /// form that LLVM cannot say; then nothing was appended that has an effect.
  bool translate(const PtxInstruction &I);

  struct Row;

private:
  bool add(const PtxInstruction &I);
  bool subtract(const PtxInstruction &I);
  bool multiply(const PtxInstruction &I);
  bool multiplyAdd(const PtxInstruction &I);
  bool divide(const PtxInstruction &I);
  bool remainder(const PtxInstruction &I);
  bool absolute(const PtxInstruction &I);
  bool negate(const PtxInstruction &I);
  bool minMax(const PtxInstruction &I);
  bool reciprocal(const PtxInstruction &I);
  bool squareRoot(const PtxInstruction &I);
  bool approximate(const PtxInstruction &I);
  bool copySign(const PtxInstruction &I);
  bool logic(const PtxInstruction &I);
  bool logicTable(const PtxInstruction &I);
  bool complement(const PtxInstruction &I);
  bool shift(const PtxInstruction &I);
  bool funnelShift(const PtxInstruction &I);
  bool countBits(const PtxInstruction &I);
  bool extractBits(const PtxInstruction &I);
  bool insertBits(const PtxInstruction &I);
  bool permute(const PtxInstruction &I);
  bool absoluteDifference(const PtxInstruction &I);
  bool setPredicate(const PtxInstruction &I);
  bool set(const PtxInstruction &I);
  bool select(const PtxInstruction &I);
  bool selectBySign(const PtxInstruction &I);
  bool move(const PtxInstruction &I);

  bool realSum(const PtxInstruction &I, llvm::StringRef Name);
  llvm::Value *product(const PtxInstruction &I, bool &Wide);
  /// Sum or difference with the carry flag as `.cc` and `addc` use it.
  llvm::Value *withCarry(const PtxInstruction &I, llvm::Value *X,
                         llvm::Value *Y, bool Subtracts);
  llvm::Value *compare(llvm::StringRef Operator, PtxType T, llvm::Value *X,
                       llvm::Value *Y);
  llvm::Value *comparison(const PtxInstruction &I, PtxType T);

  llvm::Value *in(const PtxInstruction &I, unsigned Operand, PtxType T) {
    return Operands.read(I.Operands[Operand], T);
  }
  bool out(const PtxInstruction &I, llvm::Value *V, bool Signed = false) {
    if (!V)
      return false;
    Operands.write(I.Operands[0], V, Signed);
    return true;
  }

  llvm::IRBuilder<> &B;
  PtxOperands &Operands;
};

/// "rn", "rz", "rm" or "rp" of I; "" if it has none.
llvm::StringRef ptxRounding(const PtxInstruction &I);

} // namespace gpuestimate

#endif
