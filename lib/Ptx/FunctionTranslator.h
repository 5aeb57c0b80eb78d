/// \file
/// The body of one PTX function as LLVM IR: blocks, branches, calls, and which
/// class translates an instruction.
#ifndef GPU_ESTIMATE_LIB_PTX_FUNCTIONTRANSLATOR_H
#define GPU_ESTIMATE_LIB_PTX_FUNCTIONTRANSLATOR_H

#include "Operands.h"
#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

class PtxDebugPlaces;

/// How a PTX function is declared in LLVM IR. A result or parameter that is an
/// array lies in memory, whose address is passed; results come first.
struct PtxSignature {
  llvm::Function *Code = nullptr; ///< null for a prototype
  llvm::FunctionType *Type = nullptr;
  const PtxFunction *Declaration = nullptr;
  bool returnsInMemory() const {
    return !Declaration->Results.empty() && Declaration->Results[0].IsArray;
  }
};

/// The type of a result or parameter that is no array.
llvm::Type *ptxValueType(const PtxVariable &V, llvm::LLVMContext &Context);

using PtxSignatures = llvm::StringMap<PtxSignature>;

/// An operand "$0" of inline assembly, which is a register of the type that the
/// call has for it.
struct PtxAssemblyOperand {
  std::string Name;
  llvm::Type *Type = nullptr;
  bool IsResult = false;
  int Parameter = -1; ///< of the function: the value at the begin; -1 for none
};

/// How inline assembly is translated (InlineAssembly.h).
struct PtxAssemblyMode {
  AssemblyUse Use = AssemblyUse::Estimate;
  bool HasSideEffects = true; ///< `volatile`
  bool ClobbersMemory = false;
  bool IsConvergent = false;
};

class PtxFunctionTranslator {
public:
  PtxFunctionTranslator(const PtxFile &File, const PtxFunction &Source,
                        const PtxSignature &Signature,
                        const PtxSignatures &Signatures,
                        const PtxSymbols &Symbols, PtxDebugPlaces *Places);

  /// Fills the function. Fails with a line for a name that is not declared.
  llvm::Error run();

  /// Fills the function with inline assembly. It returns the operands that are
  /// results, a structure if there are several. Fails also for an instruction
  /// that would leave the surrounding function.
  llvm::Error runAssembly(llvm::ArrayRef<PtxAssemblyOperand> Registers,
                          const PtxAssemblyMode &Mode);

private:
  using LabelScope = llvm::StringMap<llvm::BasicBlock *>;

  void findLabels();
  llvm::Error translateBody();
  void bindParameters();
  void returnResults(llvm::ArrayRef<PtxAssemblyOperand> Registers);
  bool needsFences() const;
  void statement(size_t Index);
  void declareVariable(const PtxVariable &V);
  void instruction(const PtxInstruction &I);
  void guarded(const PtxInstruction &I);
  void unguarded(const PtxInstruction &I);
  bool control(const PtxInstruction &I);
  void branch(const PtxInstruction &I);
  void branchByIndex(const PtxInstruction &I);
  void call(const PtxInstruction &I);
  void returnFromFunction();
  const PtxSignature &prototype(llvm::StringRef Name) const;
  const PtxSignature *callee(const PtxInstruction &I, size_t Name,
                             llvm::Value *&Pointer);
  llvm::Value *argument(const PtxOperand &O, const PtxVariable &Parameter,
                        llvm::Type *Type);
  llvm::BasicBlock *label(llvm::StringRef Name);
  llvm::BasicBlock *newBlock() {
    return llvm::BasicBlock::Create(B.getContext(), "", &F);
  }
  void enter(llvm::BasicBlock *Block);
  bool isPure(const PtxInstruction &I) const;
  void markUnrolling();
  void promoteRegisters();

  const PtxFile &File;
  const PtxFunction &Source;
  const PtxSignatures &Signatures;
  PtxDebugPlaces *Places; ///< null: those of the call of inline assembly
  std::optional<PtxAssemblyMode> Inline; ///< if this is inline assembly
  llvm::Function &F;
  llvm::IRBuilder<> B;
  PtxOperands Operands;
  std::vector<LabelScope> Labels; ///< by the scope's number
  std::vector<size_t> OpenScopes; ///< from the outermost
  size_t NextScope = 0;
  llvm::StringMap<llvm::ArrayRef<llvm::StringRef>> Tables;
  llvm::StringMap<size_t> Prototypes;
  llvm::DenseMap<llvm::BasicBlock *, unsigned> Order;
  llvm::SmallVector<llvm::BasicBlock *> NotUnrolled;
  llvm::SmallVector<llvm::Value *> Results; ///< where they are kept
};

} // namespace gpuestimate

#endif
