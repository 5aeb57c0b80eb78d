/// \file
/// Appends machine operations and accesses to a kernel model.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_OPERATIONBUILDER_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_OPERATIONBUILDER_H

#include "Accesses.h"
#include "CallSummaries.h"
#include "InstructionSelection.h"
#include "Lowering/Control/Regions.h"
#include "OpTable.h"
#include "gpu-estimate/Lowering/Values/IrOrigins.h"
#include "gpu-estimate/Model/Kernel/DivisionOperands.h"
#include <deque>

namespace gpuestimate {

/// What is known of the operands of a kernel's divisions.
struct DivisionCosts {
  DivisionOperands Stated = DivisionOperands::Ordinary;
  /// Or null. Not used unless Stated is Ordinary.
  const SpecialDivisions *Executed = nullptr;
};

/// Appends operations in program order. The operands of an operation are kept
/// as IR values until every operation exists (OperandLinker resolves them).
class OperationBuilder {
public:
  OperationBuilder(KernelAnalyses &A, Values &V, Regions &R, Unknowns &Names,
                   KernelModel &Model, llvm::Function &F,
                   DivisionCosts Divisions, CallSummaries &Calls);

  /// Operations are appended to the model's block Index from here on.
  void startBlock(const llvm::BasicBlock &BB, unsigned Index);
  void endBlock();
  /// Appends one operation for At that depends on Values and, if given, on the
  /// operation After. Returns its index.
  unsigned append(OpClass Class, const llvm::Instruction &At,
                  llvm::ArrayRef<const llvm::Value *> Values = {},
                  int After = -1);
  /// Appends the steps of a row as a dependent sequence, Repeat times as many
  /// instructions each; the last step becomes the producer of At.
  void appendRow(const OpRow &Row, const llvm::Instruction &At,
                 llvm::ArrayRef<const llvm::Value *> Values,
                 unsigned Repeat = 1);
  /// Appends the sum of a base and scaled indices: Key is a row of one step.
  unsigned appendAddress(llvm::StringRef Key, const llvm::Instruction &At,
                         llvm::ArrayRef<const llvm::Value *> Values,
                         unsigned Indices = 1);
  /// Appends a memory access and, on the first access through an induction
  /// pointer, the increment of the pointer.
  unsigned appendAccess(AccessRequest Request,
                        llvm::ArrayRef<const llvm::Value *> Values);
  /// Appends a wait that begins with the operation After, or here.
  unsigned appendWait(const llvm::Instruction &At, Expr Length,
                      Wait::UnitType Unit,
                      std::optional<unsigned> After = std::nullopt);
  /// Appends one move for an instruction without a row and lists it.
  void unmapped(const llvm::Instruction &I, Unknown::KindType Kind,
                const std::string &What,
                std::string Why = "the operation table has no entry for it; it "
                                  "counts as one move");
  /// Appends the start addresses of the induction pointers of the loop that is
  /// entered from Preheader.
  void startInductions(const llvm::BasicBlock &Preheader);
  /// Operation User depends on operation Producer, of the previous iteration
  /// where Carried.
  void addDependence(unsigned User, unsigned Producer, bool Carried = false) {
    Pending[User].Operations.push_back({Producer, Carried});
  }
  /// Appends the instructions of a call that is not inlined.
  void appendCall(const CallSummary &Callee, const llvm::CallBase &At);
  /// Lists the divisions of the kernel whose operands change their cost.
  void reportDivisions();
  std::vector<const llvm::Instruction *> checkedDivisions() const;

  /// findOpRow() in the variants of this kernel; records I where it is a
  /// division that tests its operands.
  const OpRow *findRow(const llvm::Instruction &I, llvm::StringRef Key);
  llvm::ArrayRef<llvm::StringLiteral> variants() const { return Variants; }

  /// The operation that computes the value of I.
  std::optional<unsigned> producer(const llvm::Instruction &I) const {
    auto Entry = Producer.find(&I);
    return Entry == Producer.end() ? std::nullopt
                                   : std::optional<unsigned>(Entry->second);
  }
  void setProducer(const llvm::Instruction &I, unsigned Index) {
    Producer[&I] = Index;
  }
  void removeProducer(const llvm::Instruction &I) { Producer.erase(&I); }
  /// Special registers are read once per kernel: takes the earlier read of
  /// Name, if there is one, as the producer of I.
  bool reuseSpecialRegister(llvm::StringRef Name, const llvm::Instruction &I);
  void keepSpecialRegister(llvm::StringRef Name, const llvm::Instruction &I) {
    SpecialRegisters[Name] = Producer[&I];
  }

  const InstructionSelection &selection() const { return Selection; }
  Accesses &accesses() { return Memory; }
  const Accesses &accesses() const { return Memory; }
  const llvm::BasicBlock *currentBlock() const { return CurrentBB; }
  /// The loop of the model around the current block or an operation, or -1.
  int currentLoop() const { return LoopOfBlock[CurrentBlock]; }
  int loopOf(unsigned Op) const { return LoopOfBlock[BlockOf[Op]]; }
  unsigned blockOf(unsigned Op) const { return BlockOf[Op]; }

  /// Operands that are not linked yet.
  struct PendingOperands {
    llvm::SmallVector<const llvm::Value *, 4> Values;
    llvm::SmallVector<Operand, 2> Operations;
  };
  const PendingOperands &pending(unsigned Op) const { return Pending[Op]; }
  using OpInBlock = std::pair<unsigned, const llvm::BasicBlock *>;
  llvm::ArrayRef<OpInBlock> barriers() const { return Barriers; }
  llvm::ArrayRef<OpInBlock> asyncCopies() const { return AsyncCopies; }

  KernelAnalyses &A;
  Values &V;
  Regions &R;
  Unknowns &Names;
  KernelModel &Model;
  ExprContext &Ctx;
  llvm::Function &F;
  CallSummaries &Calls;

private:
  void reportWideDivisions();
  static llvm::SmallVector<llvm::StringLiteral, 2>
  variantsOf(const llvm::Function &F, DivisionOperands Divisions);
  /// locate(), memoised by debug location.
  const SourceLocation &locationOf(const llvm::Instruction &I);

  Accesses Memory;
  InstructionSelection Selection;
  /// The row of a division of which a share takes the slow path.
  const OpRow *mixedRow(const OpRow &Fast, const OpRow &Slow, double Share);

  DivisionCosts Divisions;
  llvm::SmallVector<llvm::StringLiteral, 2> Variants; ///< see findOpRow()
  /// Divisions that test their operands.
  llvm::SmallVector<const llvm::Instruction *> Checked;
  llvm::SmallVector<const llvm::Instruction *> Wide; ///< 64-bit divisions
  std::deque<OpRow> MixedRows;
  unsigned CurrentBlock = 0;
  const llvm::BasicBlock *CurrentBB = nullptr;
  const llvm::Value *Guard = nullptr; ///< of the current block
  llvm::DenseMap<const llvm::Instruction *, unsigned> Producer;
  llvm::DenseMap<const llvm::DILocation *, SourceLocation> Locations;
  std::vector<PendingOperands> Pending; ///< parallel to Model.Operations
  std::vector<unsigned> BlockOf;        ///< parallel to Model.Operations
  std::vector<int> LoopOfBlock;         ///< model block -> loop
  /// Induction pointer -> operation of its start and of its increment, or -1.
  std::vector<int> PointerStart, PointerStep;
  /// Induction pointers by the block from which their loop is entered, without
  /// those whose start needs no instruction.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<unsigned, 4>>
      StartingPointers;
  llvm::StringMap<unsigned> SpecialRegisters;
  std::vector<OpInBlock> Barriers, AsyncCopies;
};

} // namespace gpuestimate

#endif
