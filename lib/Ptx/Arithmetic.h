/// \file
/// Instructions that compute: arithmetic, logic, comparison, data movement
/// between registers (PTX ISA, "Integer Arithmetic" to "Logic and Shift").
#ifndef GPU_ESTIMATE_LIB_PTX_ARITHMETIC_H
#define GPU_ESTIMATE_LIB_PTX_ARITHMETIC_H

#include "InstructionTranslator.h"

namespace gpuestimate {

/// Each form appends the code of I. It returns false for what LLVM cannot say;
/// then nothing was appended that has an effect.
class PtxArithmetic : public PtxInstructionTranslator {
public:
  using PtxInstructionTranslator::PtxInstructionTranslator;

  bool add();
  bool subtract();
  bool multiply();
  bool multiplyAdd();
  bool divide();
  bool remainder();
  bool absolute();
  bool negate();
  bool minMax();
  bool reciprocal();
  bool squareRoot();
  bool approximate();
  bool copySign();
  bool logic();
  bool logicTable();
  bool complement();
  bool shift();
  bool funnelShift();
  bool countBits();
  bool extractBits();
  bool insertBits();
  bool permute();
  bool absoluteDifference();
  bool setPredicate();
  bool set();
  bool select();
  bool selectBySign();
  bool move();

private:
  bool realSum(llvm::StringRef Name);
  llvm::Value *product(bool &Wide);
  /// Sum or difference with the carry flag as `.cc` and `addc` use it.
  llvm::Value *withCarry(llvm::Value *X, llvm::Value *Y, bool Subtracts);
  llvm::Value *compare(llvm::StringRef Operator, PtxType Of, llvm::Value *X,
                       llvm::Value *Y);
  llvm::Value *comparison(PtxType Of);
};

/// "rn", "rz", "rm" or "rp" of I; "" if it has none.
llvm::StringRef ptxRounding(const PtxInstruction &I);

} // namespace gpuestimate

#endif
