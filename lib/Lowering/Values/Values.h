/// \file
/// IR values as symbolic expressions of coordinates, arguments and counters.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_VALUES_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_VALUES_H

#include "Lowering/Pipeline/Analyses.h"
#include "Unknowns.h"
#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include <functional>

namespace gpuestimate {

/// A pointer as an object and a byte offset from its start. Base is null
/// when the pointer may lead into different objects.
struct PointerValue {
  const llvm::Value *Base = nullptr;
  Expr Offset;
};

/// How a header phi changes from one iteration to the next.
struct Recurrence {
  enum KindType : uint8_t {
    None,
    Affine,      ///< Start + Step * counter
    Halving,     ///< floor(Start / 2^(Shift * counter))
    Doubling,    ///< Start * 2^(Shift * counter)
    Alternating, ///< Start and Step - Start in turn (two buffers)
    Cyclic       ///< (Start + Step * counter) mod Modulus
  };
  KindType Kind = None;
  Expr Start, Step, Modulus;
  unsigned Shift = 0;
};

class Values {
public:
  Values(KernelAnalyses &A, const KernelSource &Source, KernelModel &Model,
         Unknowns &Names);

  /// The value of V in the mathematical integers (a condition is 0 or 1).
  /// Never null: what cannot be expressed becomes an unknown.
  Expr of(const llvm::Value *V);
  Expr ofScev(const llvm::SCEV *S);
  PointerValue pointer(const llvm::Value *V);

  /// The counter of a loop, as a term.
  Expr counter(const llvm::Loop *L);
  Recurrence recurrence(const llvm::PHINode *Phi);
  /// Is E the same in every iteration of L?
  bool isInvariant(Expr E, const llvm::Loop *L);
  /// True when the term's range or LLVM's value tracking shows it.
  bool isNonNegative(const llvm::Value *V, Expr E);

  /// The name of an object that a pointer leads to, and its kernel argument.
  std::string nameOf(const llvm::Value *Base, int &Argument,
                     unsigned Level = 0);
  std::string argumentName(const llvm::Argument &A) const;

  /// Who knows how often a loop runs (TripCounts); set before first use.
  void setTripCounts(std::function<Expr(const llvm::Loop *)> F) {
    TripCountOf = std::move(F);
  }
  void setCounterName(const llvm::Loop *L, llvm::StringRef Name) {
    Counters[L] = Name.str();
  }

private:
  Expr compute(const llvm::Value *V);
  Expr computeInstruction(const llvm::Instruction &I);
  Expr computeBinary(const llvm::BinaryOperator &I);
  Expr computeIntrinsic(const llvm::CallInst &I);
  Expr computeLoad(const llvm::LoadInst &I);
  Expr computePhi(const llvm::PHINode &Phi);
  Expr computeHeaderPhi(const llvm::PHINode &Phi, const llvm::Loop *L);
  Expr computeReal(const llvm::Instruction &I);
  Recurrence computeRecurrence(const llvm::PHINode &Phi, const llvm::Loop *L);
  Expr compare(const llvm::CmpInst &I);
  Expr atExit(Expr E, const llvm::Loop *L);
  Expr opaque(const llvm::Value *V);
  PointerValue computePointer(const llvm::Value *V);
  /// A pointer, or an integer that becomes one, that is read from memory.
  PointerValue readPointer(const llvm::LoadInst &I);
  /// A header phi that is no closed form.
  PointerValue changingPointer(const llvm::PHINode &Phi);
  /// Where V is an element of a list, `p = p->next`, that a loop goes through:
  /// the phi of the elements. Else null.
  const llvm::PHINode *listOf(const llvm::Value *V);
  /// May what V is differ between the lanes of a warp?
  bool isLaneVarying(const llvm::Value *V);
  bool computeLaneVarying(const llvm::Value *V);
  /// What decides between the two values of a join, if a branch or one case of
  /// a switch does.
  struct Join {
    const llvm::Value *Condition = nullptr, *IfTrue = nullptr,
                      *IfFalse = nullptr;
    const llvm::ConstantInt *Case = nullptr; ///< true: the condition equals it
  };
  std::string variableName(const llvm::GlobalVariable &Variable);
  Join joinOf(const llvm::PHINode &Phi) const;
  Join joinOf(const llvm::PHINode &Phi, const llvm::SwitchInst &Switch) const;
  Expr conditionOf(const Join &J);
  using ScevMemo = llvm::DenseMap<const llvm::SCEV *, Expr>;
  Expr ofScev(const llvm::SCEV *S, ScevMemo &Done);
  Expr computeScev(const llvm::SCEV *S, ScevMemo &Done);
  Expr unknownBound();
  bool dependsOnOpenPhi(Expr E) const;
  unsigned weight(Expr E);

  KernelAnalyses &A;
  const KernelSource &Source;
  Unknowns &Names;
  ExprContext &Ctx;
  std::function<Expr(const llvm::Loop *)> TripCountOf;
  llvm::DenseMap<const llvm::Loop *, std::string> Counters;
  llvm::DenseMap<const llvm::Value *, Expr> Memo;
  llvm::DenseMap<const llvm::Value *, Expr> Opaque;
  llvm::DenseMap<const llvm::Value *, PointerValue> PointerMemo;
  llvm::DenseMap<const llvm::PHINode *, Recurrence> Recurrences;
  llvm::DenseMap<const ExprNode *, unsigned> Weights;
  /// The phi at the end of the pointers that a value is read through, or null.
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> ReadFrom;
  llvm::DenseMap<const llvm::Value *, bool> LaneVarying;
  /// How many variables of the module have a name, whatever their scope.
  llvm::StringMap<unsigned> VariablesCalled;
  /// How deep values may be worked out from each other.
  static constexpr unsigned MaxDepth = 500;
  /// Header phis whose recurrence is being worked out, with a stand-in term;
  /// what is computed meanwhile from a stand-in is kept only until then.
  llvm::SmallVector<std::pair<const llvm::PHINode *, Expr>, 4> Open;
  llvm::SmallVector<llvm::DenseMap<const llvm::Value *, Expr>, 4> OpenMemo;
  unsigned Depth = 0;     ///< of of() and pointer()
  unsigned WalkDepth = 0; ///< of ofScev() and isLaneVarying()
};

} // namespace gpuestimate

#endif
