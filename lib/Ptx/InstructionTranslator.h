/// \file
/// The translation of one PTX instruction: what every form of it needs. A form
/// is a member function of a class derived from this one; the rows of the
/// instruction table (Instructions.cpp) name the forms.
#ifndef GPU_ESTIMATE_LIB_PTX_INSTRUCTIONTRANSLATOR_H
#define GPU_ESTIMATE_LIB_PTX_INSTRUCTIONTRANSLATOR_H

#include "Operands.h"

namespace gpuestimate {

/// One instruction, where its code is appended, and its operands.
class PtxInstructionTranslation {
public:
  /// Executes: the code is to run on the host.
  PtxInstructionTranslation(llvm::IRBuilder<> &B, PtxOperands &Operands,
                            const PtxInstruction &I, bool Executes)
      : B(B), Operands(Operands), I(I), T(I.type()), Executes(Executes) {}

  /// Appends the code of the first form of the row that can say it. False if
  /// none can, or an operand cannot be read.
  bool translate() const;

protected:
  llvm::IRBuilder<> &B;
  PtxOperands &Operands;
  const PtxInstruction &I;
  const PtxType T; ///< the last type of the mnemonic
  const bool Executes;
};

/// The base of the classes whose member functions are forms.
class PtxInstructionTranslator : public PtxInstructionTranslation {
public:
  explicit PtxInstructionTranslator(const PtxInstructionTranslation &Of)
      : PtxInstructionTranslation(Of) {}

protected:
  /// The value of an operand.
  llvm::Value *in(unsigned Operand, PtxType As) {
    return Operands.read(I.Operands[Operand], As);
  }
  llvm::Value *in(unsigned Operand) { return in(Operand, T); }
  /// Writes the result. False, and nothing is written, if V is null: LLVM has
  /// no intrinsic for this form of the instruction.
  bool out(llvm::Value *V, bool Signed = false) {
    if (!V)
      return false;
    Operands.write(I.Operands[0], V, Signed);
    return true;
  }
  llvm::Type *type() const { return llvmType(T, B.getContext()); }
};

} // namespace gpuestimate

#endif
