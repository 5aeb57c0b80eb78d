#include "LockStep.h"
#include "Execute/Device/ThreadContext.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include <map>

using namespace llvm;

namespace gpuestimate {

static const GlobalVariable *sharedVariable(const Value *Pointer) {
  const auto *Object = dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer));
  return Object && Object->getAddressSpace() == SharedSpace ? Object : nullptr;
}

static bool isBarrier(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->isConvergent();
}

/// Replaces short copies within shared memory by loads of all their parts and
/// then stores, so that lanes can meet between them. A part is an integer of at
/// most 8 bytes: vectors of wider or odd ones, such as 12 bytes, are not what
/// memory holds.
static void splitCopies(Function &F) {
  constexpr uint64_t MaxBytes = 64, MaxPart = 8;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Copy = dyn_cast<MemTransferInst>(&I);
    const auto *Bytes =
        Copy ? dyn_cast<ConstantInt>(Copy->getLength()) : nullptr;
    if (!Bytes || Bytes->isZero() || Bytes->getValue().ugt(MaxBytes) ||
        !sharedVariable(Copy->getSource()) || !sharedVariable(Copy->getDest()))
      continue;
    IRBuilder<> B(Copy);
    Align Alignment = std::min(Copy->getSourceAlign().valueOrOne(),
                               Copy->getDestAlign().valueOrOne());
    struct Part {
      uint64_t Offset;
      Value *Loaded;
    };
    SmallVector<Part> Parts;
    for (uint64_t Offset = 0, Rest = Bytes->getZExtValue(); Rest > 0;) {
      uint64_t Size = std::min({MaxPart, bit_floor(Rest), Alignment.value()});
      Value *From = B.CreatePtrAdd(Copy->getSource(), B.getInt64(Offset));
      Parts.push_back(
          {Offset, B.CreateAlignedLoad(B.getIntNTy(8 * Size), From, Align(Size),
                                       Copy->isVolatile())});
      Offset += Size;
      Rest -= Size;
    }
    for (const Part &P : Parts)
      B.CreateAlignedStore(
          P.Loaded, B.CreatePtrAdd(Copy->getDest(), B.getInt64(P.Offset)),
          Align(P.Loaded->getType()->getIntegerBitWidth() / 8),
          Copy->isVolatile());
    Copy->eraseFromParent();
  }
}

namespace {

class LockStepFinder {
public:
  explicit LockStepFinder(Function &F)
      : F(F), LibraryImpl(Triple(F.getParent()->getTargetTriple())),
        Library(LibraryImpl), Assumptions(F), Dominators(F), Loops(Dominators),
        Evolution(F, Library, Assumptions, Dominators, Loops) {
    HasBarriers = any_of(instructions(F), isBarrier);
  }
  SmallVector<Instruction *> run();

private:
  /// Accesses to shared memory since the lanes met.
  struct Open {
    SmallSetVector<StoreInst *, 8> Stores;
    SmallSetVector<LoadInst *, 8> Loads;
    bool add(const Open &Other) {
      size_t Before = Stores.size() + Loads.size();
      Stores.insert(Other.Stores.begin(), Other.Stores.end());
      Loads.insert(Other.Loads.begin(), Other.Loads.end());
      return Stores.size() + Loads.size() > Before;
    }
  };
  /// Goes through a block; Places: null, or where lanes have to meet.
  Open walk(BasicBlock &BB, Open State, SmallVectorImpl<Instruction *> *Places);
  bool communicate(const Value *A, const Value *B);
  bool loadsFromOthers(const StoreInst &Before, const LoadInst &Load);
  bool isStoredWhatIsLoaded(const StoreInst &Store, const Open &State);
  bool dependsOnThread(const Value *V);
  bool dependsOnThread(const SCEV *S);

  Function &F;
  TargetLibraryInfoImpl LibraryImpl;
  TargetLibraryInfo Library;
  AssumptionCache Assumptions;
  DominatorTree Dominators;
  LoopInfo Loops;
  ScalarEvolution Evolution;
  bool HasBarriers = false;
  DenseMap<const Value *, bool> ThreadValues;
  std::map<std::pair<const Value *, const Value *>, bool> Known;
};

} // namespace

/// Does the value differ between the threads of a block?
bool LockStepFinder::dependsOnThread(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  auto [Entry, IsNew] = ThreadValues.try_emplace(V, false);
  if (!IsNew)
    return Entry->second; // inside of a cycle: by its other operands
  bool Depends = any_of(I->operand_values(), [this](const Value *Operand) {
    return dependsOnThread(Operand);
  });
  if (const auto *Call = dyn_cast<CallBase>(I)) {
    const Function *Callee = Call->getCalledFunction();
    StringRef Name = Callee ? Callee->getName() : "";
    // Sizes and block numbers are equal for all; of other calls nothing is
    // known.
    Depends |= !Name.contains(".ntid") && !Name.contains("ctaid") &&
               !Name.contains("workgroup") && !Call->getType()->isVoidTy();
  }
  Depends |= I->isAtomic();
  return ThreadValues[V] = Depends;
}

bool LockStepFinder::dependsOnThread(const SCEV *S) {
  return SCEVExprContains(S, [this](const SCEV *Part) {
    const auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    return Leaf && dependsOnThread(Leaf->getValue());
  });
}

/// Can two different lanes of a warp access the same place by A and B?
bool LockStepFinder::communicate(const Value *A, const Value *B) {
  if (A == B || sharedVariable(A) != sharedVariable(B))
    return false;
  auto [Entry, IsNew] = Known.try_emplace({A, B}, false);
  if (!IsNew)
    return Entry->second;
  const SCEV *Place = Evolution.getSCEV(const_cast<Value *>(A));
  const SCEV *Distance =
      Evolution.getMinusSCEV(Place, Evolution.getSCEV(const_cast<Value *>(B)));
  if (isa<SCEVCouldNotCompute>(Distance) || dependsOnThread(Distance))
    return Entry->second = true;
  const auto *Bytes = dyn_cast<SCEVConstant>(Distance);
  if (!Bytes || Bytes->isZero())
    return false;
  // Bytes from lane to lane, along one dimension of the block.
  ArrayRef<const SCEV *> Terms = Place;
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(Place))
    Terms = Sum->operands();
  for (const SCEV *Term : Terms) {
    if (!dependsOnThread(Term))
      continue;
    int64_t Stride = 1;
    if (const auto *Product = dyn_cast<SCEVMulExpr>(Term))
      if (const auto *Factor = dyn_cast<SCEVConstant>(Product->getOperand(0)))
        Stride = Factor->getAPInt().getSExtValue();
    int64_t D = Bytes->getAPInt().getSExtValue();
    constexpr int64_t MaxLanes = 64;
    if (Stride && D % Stride == 0 && std::abs(D / Stride) < MaxLanes)
      return Entry->second = true;
  }
  return false;
}

/// Does the value depend on memory? True if that takes long to say.
static bool comesFromMemory(const Value *V) {
  constexpr unsigned MaxOperations = 32;
  SmallVector<const Value *> Left = {V};
  SmallPtrSet<const Value *, MaxOperations> Seen;
  while (!Left.empty()) {
    const auto *I = dyn_cast<Instruction>(Left.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (I->mayReadFromMemory() || Seen.size() == MaxOperations)
      return true;
    append_range(Left, I->operand_values());
  }
  return false;
}

/// Does the load need what other lanes have stored? Code with barriers has one
/// before an exchange by places that depend on data; without, such places are a
/// thread's own, as those of a histogram for each thread.
bool LockStepFinder::loadsFromOthers(const StoreInst &Before,
                                     const LoadInst &Load) {
  const Value *To = Before.getPointerOperand();
  const Value *From = Load.getPointerOperand();
  return communicate(To, From) &&
         !(HasBarriers && (comesFromMemory(To) || comesFromMemory(From)));
}

/// Does the store need what other lanes may overwrite, loaded before it?
bool LockStepFinder::isStoredWhatIsLoaded(const StoreInst &Store,
                                          const Open &State) {
  constexpr unsigned MaxOperations = 32;
  SmallVector<const Value *> Left = {Store.getValueOperand(),
                                     Store.getPointerOperand()};
  SmallPtrSet<const Value *, MaxOperations> Seen;
  while (!Left.empty() && Seen.size() < MaxOperations) {
    const auto *I = dyn_cast<Instruction>(Left.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (const auto *Load = dyn_cast<LoadInst>(I)) {
      if (State.Loads.contains(const_cast<LoadInst *>(Load)) &&
          communicate(Store.getPointerOperand(), Load->getPointerOperand()))
        return true;
      continue;
    }
    append_range(Left, I->operand_values());
  }
  return false;
}

LockStepFinder::Open
LockStepFinder::walk(BasicBlock &BB, Open State,
                     SmallVectorImpl<Instruction *> *Places) {
  auto Meet = [&](Instruction *At) {
    State = {};
    if (Places)
      Places->push_back(At);
  };
  for (Instruction &I : BB) {
    if (isBarrier(I)) {
      State = {};
    } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (!sharedVariable(Store->getPointerOperand()))
        continue;
      if (Store->isVolatile() || isStoredWhatIsLoaded(*Store, State))
        Meet(Store);
      State.Stores.insert(Store);
      if (Store->isVolatile())
        Meet(Store->getNextNode());
    } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
      if (!sharedVariable(Load->getPointerOperand()))
        continue;
      if (any_of(State.Stores, [&](const StoreInst *Before) {
            return loadsFromOthers(*Before, *Load);
          }))
        Meet(Load);
      State.Loads.insert(Load);
    }
  }
  return State;
}

SmallVector<Instruction *> LockStepFinder::run() {
  DenseMap<BasicBlock *, Open> In;
  ReversePostOrderTraversal<Function *> Order(&F);
  // Lanes meet nowhere new in a second pass over a loop unless its end reaches
  // its begin; a few passes suffice for what nests.
  constexpr unsigned MaxPasses = 4;
  for (unsigned Pass = 0; Pass < MaxPasses; ++Pass) {
    bool Grows = false;
    for (BasicBlock *BB : Order) {
      Open Out = walk(*BB, In[BB], nullptr);
      for (BasicBlock *Next : successors(BB))
        Grows |= In[Next].add(Out);
    }
    if (!Grows)
      break;
  }
  SmallVector<Instruction *> Places;
  for (BasicBlock *BB : Order)
    walk(*BB, In[BB], &Places);
  return Places;
}

SmallVector<Instruction *> lockStepPlaces(Function &F) {
  splitCopies(F);
  bool UsesShared = any_of(instructions(F), [](const Instruction &I) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    return Pointer && sharedVariable(Pointer);
  });
  if (!UsesShared)
    return {};
  return LockStepFinder(F).run();
}

} // namespace gpuestimate
