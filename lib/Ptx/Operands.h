/// \file
/// Values of the operands of one PTX function: registers, variables, special
/// registers and numbers.
#ifndef GPU_ESTIMATE_LIB_PTX_OPERANDS_H
#define GPU_ESTIMATE_LIB_PTX_OPERANDS_H

#include "gpu-estimate/Ptx/Syntax.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"
#include <map>

namespace gpuestimate {

/// Numbers of LLVM's address spaces of NVPTX.
namespace ptxspace {
inline constexpr unsigned Generic = 0, Global = 1, Shared = 3, Constant = 4,
                          Local = 5;
} // namespace ptxspace

/// The address space of a state space, such as "shared::cta"; nothing if Name
/// is none.
std::optional<unsigned> ptxAddressSpace(llvm::StringRef Name);

llvm::Type *llvmType(PtxType Type, llvm::LLVMContext &Context);

/// V as a value of type To: the bits of the same size, or the low bits, or
/// extended by zeros or the sign.
llvm::Value *convertBits(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Type *To,
                         bool Signed);

/// A call of the intrinsic Name, whose arguments are converted to its types;
/// null where LLVM has none of this name or number of arguments.
llvm::Value *callIntrinsic(llvm::IRBuilder<> &B, const llvm::Twine &Name,
                           llvm::ArrayRef<llvm::Value *> Arguments,
                           llvm::ArrayRef<llvm::Type *> Overloads = {});

/// Variables and functions of the module, by name.
using PtxSymbols = llvm::StringMap<llvm::Constant *>;

/// Registers are stack slots that PromoteMemToReg makes SSA values of.
class PtxOperands {
public:
  PtxOperands(llvm::IRBuilder<> &B, llvm::Function &F,
              const PtxSymbols &Symbols);

  void enterScope() { Scopes.emplace_back(); }
  void leaveScope() {
    if (Scopes.size() > 1)
      Scopes.pop_back();
  }
  void declare(const PtxRegisters &Registers);
  /// One register that holds any value of LLVM's type T.
  llvm::AllocaInst *declare(llvm::StringRef Name, llvm::Type *T) {
    return Scopes.back().Registers[Name] = allocate(T, "");
  }
  /// The place of a register that was declared so.
  llvm::AllocaInst *declared(llvm::StringRef Name) { return slot(Name); }
  /// A variable of the function at Address, a pointer.
  void declare(llvm::StringRef Name, llvm::Value *Address);
  /// A stack slot at the start of the function.
  llvm::AllocaInst *allocate(llvm::Type *Type, const llvm::Twine &Name,
                             unsigned Alignment = 0);

  /// Writes change a register only where Condition (an i1) is true; null for
  /// everywhere.
  void setGuard(llvm::Value *Condition) { Guard = Condition; }

  /// A register of several components as the vector of them; any other operand
  /// as it is.
  PtxOperand expanded(const PtxOperand &O) const;
  llvm::Value *read(const PtxOperand &O, PtxType Type);
  llvm::Value *readPredicate(const PtxOperand &O);
  llvm::Value *predicate(llvm::StringRef Name, bool Negated);
  void write(const PtxOperand &O, llvm::Value *V, bool Signed = false);
  /// The bits of all parts of a vector operand, or one value.
  llvm::Value *readBits(const PtxOperand &O, unsigned Bits);
  void writeBits(const PtxOperand &O, llvm::Value *V);

  /// The address [base+offset] as a pointer in a space.
  llvm::Value *address(const PtxOperand &O, unsigned Space);
  /// The pointer to the variable or function Name; null if there is none.
  llvm::Value *symbol(llvm::StringRef Name) const;
  /// The declared type of a register; null if Name is none.
  llvm::Type *registerType(llvm::StringRef Name);
  /// The carry flag of add.cc and its like, an i1.
  llvm::AllocaInst *carry();

  /// The first operand that could not be read, with what is wrong.
  const std::string &problem() const { return Problem; }
  void fail(const llvm::Twine &What) {
    if (Problem.empty())
      Problem = What.str();
  }

private:
  struct Scope {
    llvm::StringMap<llvm::AllocaInst *> Registers;
    llvm::StringMap<PtxRegisters> Families; ///< by the name before the number
    llvm::StringMap<unsigned> Vectors;      ///< components of a register
    llvm::StringMap<llvm::Value *> Variables;
  };

  /// The registers of S that Name is a numbered one of; null if there are none.
  const PtxRegisters *family(llvm::StringRef Name, const Scope &S) const;
  llvm::AllocaInst *slot(llvm::StringRef Name);
  llvm::Value *specialRegister(const PtxOperand &O);
  llvm::Value *named(const PtxOperand &O, llvm::Type *Wanted);
  llvm::Value *number(const PtxOperand &O, llvm::Type *Wanted);
  /// The integer address or pointer that O names.
  llvm::Value *base(const PtxOperand &O);

  llvm::IRBuilder<> &B;
  llvm::Function &F;
  const PtxSymbols &Symbols;
  std::vector<Scope> Scopes;
  llvm::AllocaInst *Carry = nullptr;
  llvm::Value *Guard = nullptr;
  std::string Problem;
};

} // namespace gpuestimate

#endif
