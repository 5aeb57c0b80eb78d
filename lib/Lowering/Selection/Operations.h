/// \file
/// The operations of a kernel and what they wait for.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_OPERATIONS_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_OPERATIONS_H

#include "Accesses.h"
#include "Lowering/Control/Regions.h"
#include "OpTable.h"
#include "Plan.h"
#include "gpu-estimate/Model/Kernel/DivisionOperands.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gpuestimate {

class Operations {
public:
  Operations(KernelAnalyses &A, Values &V, Regions &R, Unknowns &Names,
             KernelModel &Model, llvm::Function &F, DivisionOperands Divisions)
      : A(A), V(V), R(R), Names(Names), Model(Model), Ctx(*Model.Context), F(F),
        Mem(A, V, Names, Model), P(A, V, F), Divisions(Divisions),
        Variants(variantsOf(F, Divisions)) {}

  /// Fills Operations, Accesses and the blocks' ranges, then the operands.
  void build();
  const Plan &plan() const { return P; }
  const std::vector<AccessPlace> &accessPlaces() const { return Mem.places(); }

private:
  // Operations.cpp
  static llvm::SmallVector<llvm::StringLiteral, 2>
  variantsOf(const llvm::Function &F, DivisionOperands Divisions);
  /// findOpRow() with what is known of the kernel; remembers I where it is a
  /// division that checks its operands.
  const OpRow *findRow(const llvm::Instruction &I, llvm::StringRef Key);
  void stateDivisions();
  void emitPrologue();
  void emitBlock(const llvm::BasicBlock &BB);
  void emit(const llvm::Instruction &I);
  void emitAddress(const llvm::GetElementPtrInst &Gep);
  void emitSwitch(const llvm::SwitchInst &I);
  void startPointers(const llvm::BasicBlock &Preheader);
  /// One entry; waits for Waits' producers and, if given, for After.
  unsigned append(OpClass Class, const llvm::Instruction &At,
                  llvm::ArrayRef<const llvm::Value *> Waits = {},
                  int After = -1);
  /// locate(), remembered: many operations stand at one place.
  const SourceLocation &locationOf(const llvm::Instruction &I);
  /// The steps of a row in sequence; the last becomes At's producer.
  void appendRow(const OpRow &Row, const llvm::Instruction &At,
                 llvm::ArrayRef<const llvm::Value *> Waits,
                 unsigned Repeat = 1);
  void unmapped(const llvm::Instruction &I, Unknown::KindType Kind,
                const std::string &What);

  // OperationsMemory.cpp
  void emitLoadStore(const llvm::Instruction &I);
  void emitAtomic(const llvm::Instruction &I);
  void emitBulk(const llvm::MemIntrinsic &I);
  unsigned appendAccess(Accesses::Request Request,
                        llvm::ArrayRef<const llvm::Value *> Waits);

  // OperationsCalls.cpp
  void emitCall(const llvm::CallBase &I);
  bool emitMemoryCall(const llvm::CallBase &I, llvm::StringRef Name);
  void emitTexture(const llvm::CallBase &I, llvm::StringRef Name);
  void emitAsyncWait(const llvm::CallBase &I, bool AllGroups);
  bool emitMatrix(const llvm::CallBase &I, llvm::StringRef Name);
  void emitMatrixMemory(const llvm::CallBase &I, llvm::StringRef Name);

  // OperationsAssembly.cpp
  void emitAssembly(const llvm::CallBase &I);
  void emitStatement(const llvm::CallBase &I, llvm::StringRef Statement);

  // Dependences.cpp
  void link();
  void linkTo(const llvm::Value *V, unsigned User, std::vector<Operand> &Out);
  void linkToBarrier(unsigned User, std::vector<Operand> &Out);
  bool isCarriedTo(unsigned User, const llvm::PHINode &Phi,
                   unsigned Incoming) const;
  void addOperand(unsigned User, unsigned Producer, bool Carried,
                  std::vector<Operand> &Out);
  int commonLoop(unsigned OpA, unsigned OpB) const;

  KernelAnalyses &A;
  Values &V;
  Regions &R;
  Unknowns &Names;
  KernelModel &Model;
  ExprContext &Ctx;
  llvm::Function &F;
  Accesses Mem;
  Plan P;

  DivisionOperands Divisions;
  llvm::SmallVector<llvm::StringLiteral, 2> Variants; ///< see findOpRow()
  /// Divisions that check their operands.
  llvm::SmallVector<const llvm::Instruction *> Checked;
  unsigned CurrentBlock = 0;
  const llvm::BasicBlock *CurrentBB = nullptr;
  llvm::DenseMap<const llvm::Instruction *, unsigned>
      Producer; ///< the operation that makes the value
  struct Waiting {
    llvm::SmallVector<const llvm::Value *, 4> Values;
    llvm::SmallVector<Operand, 2> Direct;
  };
  llvm::DenseMap<const llvm::DILocation *, SourceLocation> Locations;
  std::vector<Waiting> Waits;                 ///< parallel to Model.Operations
  std::vector<unsigned> BlockOf;              ///< parallel to Model.Operations
  std::vector<int> LoopOfBlock;               ///< model block -> loop
  std::vector<int> PointerStart, PointerStep; ///< walking pointer -> operation
  /// Walking pointers by the block from which their loop is entered, without
  /// those that need no instruction there.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<unsigned, 4>>
      StartingPointers;
  /// Of link(): operands of the operation at hand, with Operand::Carried.
  llvm::DenseSet<std::pair<unsigned, unsigned>> Linked;
  /// Of link(): barriers of each block in order.
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 2>> BarriersOfBlock;
  /// Special registers are read once a kernel.
  llvm::StringMap<unsigned> SpecialRegisters;
  std::vector<std::pair<unsigned, const llvm::BasicBlock *>> Barriers, Copies;
};

} // namespace gpuestimate

#endif
