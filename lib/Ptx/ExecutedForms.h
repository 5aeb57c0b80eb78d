/// \file
/// Instructions that the machine executes as one and LLVM IR says with many, or
/// with a call of the executor. An estimate would count the many; only code
/// that is to run on the host gets them.
#ifndef GPU_ESTIMATE_LIB_PTX_EXECUTEDFORMS_H
#define GPU_ESTIMATE_LIB_PTX_EXECUTEDFORMS_H

#include "InstructionTranslator.h"

namespace gpuestimate {

/// Each form appends code that computes what I does, and returns false if it
/// cannot. Operations on barriers, copies and matrices become calls of
/// functions that the executor has, "ptx.mbarrier.init" for one.
class PtxExecutedForm : public PtxInstructionTranslator {
public:
  using PtxInstructionTranslator::PtxInstructionTranslator;

  bool hint();
  bool groupMatrix();
  bool copy();
  bool runtimeCall();
  bool texture();
  bool fence();
  bool cachePolicy();
  bool activeMask();
  bool findBit();
  bool bitMask();
  bool extractBits();
  bool insertBits();
  bool logicTable();
  bool funnelShift();
  bool dotProduct();
  bool dotProductOfHalves();
  bool extendLowBits();
  bool testKind();
  bool clampedReal();
  bool functionOfReal();
  bool video();

private:
  bool result(llvm::Value *V) { return out(V, T.isSigned()); }
  void appendInput(const PtxOperand &O,
                   llvm::SmallVectorImpl<llvm::Value *> &Inputs);
  llvm::Value *address(const PtxOperand &O);
  void appendResult(const PtxOperand &O,
                    llvm::SmallVectorImpl<const PtxOperand *> &Results);
  llvm::Value *bitCount(unsigned Operand, llvm::Type *Wide);
};

} // namespace gpuestimate

#endif
