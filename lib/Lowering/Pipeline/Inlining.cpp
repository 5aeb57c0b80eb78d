#include "Inlining.h"

#include "ScalarReplacement.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <vector>

using namespace llvm;

namespace gpuestimate {

/// Instructions of the largest function that is inlined, with those that are
/// inlined into it.
static constexpr uint64_t MaxInlinedSize = 8'000;

/// Instructions of a callee from which on a function with one caller leaves the
/// call to its caller. In a chain of N functions that each call the next one,
/// an instruction is then copied a bounded number of times instead of N times.
static constexpr uint64_t LargeCallee = 100;

/// Instructions that inlining may add to the module.
static constexpr int64_t MaxInlineGrowth = 200'000;

namespace {

class BottomUpInliner {
public:
  explicit BottomUpInliner(FunctionAnalysisManager &FAM) : FAM(FAM) {
    Passes.addPass(ScalarReplacement());
    Passes.addPass(EarlyCSEPass());
    Passes.addPass(SimplifyCFGPass());
  }

  /// The functions that F calls have been given before. IsRecursive: F calls
  /// itself, directly or through others.
  void inlineInto(Function &F, bool IsRecursive);

private:
  /// Inlines Call; the calls that come with it go into NewCalls.
  bool inlineCall(CallBase &Call, SmallVectorImpl<WeakVH> &NewCalls);
  void keepLargestCalls(ArrayRef<WeakVH> Calls, uint64_t Limit);
  bool hasRoomFor(Function &F, uint64_t Added, uint64_t Limit);
  void simplify(Function &F);
  void eraseIfUnused(Function &F);

  FunctionAnalysisManager &FAM;
  FunctionPassManager Passes;
  /// Functions that may be inlined: their own calls are inlined already.
  SmallPtrSet<const Function *, 32> Inlinable;
  /// Instructions of the function at hand: now, and when it was last
  /// simplified.
  uint64_t Size = 0, SimpleSize = 0;
  /// Instructions that the module has now and did not have at first.
  int64_t Growth = 0;
};

} // namespace

bool BottomUpInliner::inlineCall(CallBase &Call,
                                 SmallVectorImpl<WeakVH> &NewCalls) {
  Function &Callee = *Call.getCalledFunction();
  auto AssumptionsOf = [&](Function &F) -> AssumptionCache & {
    return FAM.getResult<AssumptionAnalysis>(F);
  };
  InlineFunctionInfo Info(AssumptionsOf); // keeps a reference only
  InlineResult Result = InlineFunction(Call, Info, /*MergeAttributes=*/true,
                                       &FAM.getResult<AAManager>(Callee),
                                       /*InsertLifetime=*/true);
  NewCalls.append(Info.InlinedCallSites.begin(), Info.InlinedCallSites.end());
  return Result.isSuccess();
}

void BottomUpInliner::simplify(Function &F) {
  FAM.invalidate(F, PreservedAnalyses::none());
  if (!spendWork(Size))
    return;
  FAM.invalidate(F, Passes.run(F, FAM));
  SimpleSize = F.getInstructionCount();
  Growth += int64_t(SimpleSize) - int64_t(Size);
  Size = SimpleSize;
}

/// Where not all Calls of the function at hand fit into Limit, the callees that
/// add most stay calls, each at all of its calls: a function that inlined one
/// of two calls would hand a copy of Limit to each of its own callers.
void BottomUpInliner::keepLargestCalls(ArrayRef<WeakVH> Calls, uint64_t Limit) {
  MapVector<Function *, uint64_t> Added; // by all calls of a callee
  uint64_t Sum = Size;
  for (const WeakVH &Call : Calls)
    if (Function *Callee = cast<CallBase>(Call)->getCalledFunction();
        Callee && Inlinable.contains(Callee)) {
      uint64_t Instructions = Callee->getInstructionCount();
      Added[Callee] += Instructions;
      Sum += Instructions;
    }
  while (Sum > Limit && !Added.empty()) {
    auto Largest = max_element(Added, llvm::less_second());
    for (const WeakVH &Call : Calls)
      if (cast<CallBase>(Call)->getCalledFunction() == Largest->first)
        cast<CallBase>(Call)->setIsNoInline();
    Sum -= Largest->second;
    Added.erase(Largest);
  }
}

/// Whether F, which has Size instructions, and the module may have Added more;
/// what has been inlined into F is simplified if that decides it.
bool BottomUpInliner::hasRoomFor(Function &F, uint64_t Added, uint64_t Limit) {
  auto HasRoom = [&] {
    return Size + Added <= Limit && Growth + int64_t(Added) <= MaxInlineGrowth;
  };
  if (!HasRoom() && Size > SimpleSize)
    simplify(F);
  return HasRoom() && spendWork(Added);
}

void BottomUpInliner::eraseIfUnused(Function &F) {
  if (!F.use_empty() || !F.hasLocalLinkage())
    return;
  Growth -= int64_t(F.getInstructionCount());
  Inlinable.erase(&F);
  FAM.clear(F, F.getName());
  F.eraseFromParent();
}

void BottomUpInliner::inlineInto(Function &F, bool IsRecursive) {
  bool IsForced = F.hasFnAttribute(Attribute::AlwaysInline);
  uint64_t Limit =
      isKernel(F) || IsForced ? uint64_t(MaxInlineGrowth) : MaxInlinedSize;
  Size = SimpleSize = F.getInstructionCount();
  const bool HasOneCaller = !isKernel(F) && F.hasOneUse();
  SmallVector<WeakVH> Calls; // simplifying F may remove some
  for (Instruction &I : instructions(F))
    if (isa<CallBase>(I))
      Calls.push_back(&I);
  keepLargestCalls(Calls, Limit);
  for (size_t Next = 0; Next < Calls.size(); ++Next) {
    auto *Call = dyn_cast_or_null<CallBase>(Calls[Next]);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !Inlinable.contains(Callee) || Call->isNoInline())
      continue;
    uint64_t Added = Callee->getInstructionCount();
    if (HasOneCaller && Added > LargeCallee)
      continue;
    if (!hasRoomFor(F, Added, Limit)) {
      if (Calls[Next])
        Call->setIsNoInline();
      continue;
    }
    if (!Calls[Next] || !inlineCall(*Call, Calls))
      continue;
    Size += Added;
    Growth += int64_t(Added);
    eraseIfUnused(*Callee);
  }

  if (!isKernel(F) && (Size > 2 * SimpleSize || Size > Limit))
    simplify(F);
  if (isKernel(F) || IsRecursive || Size > Limit ||
      !isInlineViable(F).isSuccess()) {
    F.removeFnAttr(Attribute::AlwaysInline);
  } else {
    F.addFnAttr(Attribute::AlwaysInline);
    Inlinable.insert(&F);
  }
  FAM.invalidate(F, PreservedAnalyses::none());
}

void inlineCalls(Module &M, FunctionAnalysisManager &FAM) {
  std::vector<std::pair<Function *, bool>> CalleesFirst; // is it recursive?
  {
    CallGraph Graph(M);
    for (auto Scc = scc_begin(&Graph); !Scc.isAtEnd(); ++Scc)
      for (const CallGraphNode *Node : *Scc)
        if (Function *F = Node->getFunction(); F && !F->isDeclaration())
          CalleesFirst.emplace_back(F, Scc.hasCycle());
  }
  BottomUpInliner Inliner(FAM);
  for (auto [F, IsRecursive] : CalleesFirst)
    Inliner.inlineInto(*F, IsRecursive);
}

} // namespace gpuestimate
