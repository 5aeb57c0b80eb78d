/// \file
/// Replaces the load, the operator and the store of an update such as
/// `h[x[i]] += 1` by one atomic operation. An element that is the same for all
/// threads (`*sum += x[i]`) becomes a private variable that the block reduces.
#include "AtomicUpdates.h"
#include "Offload/Dependence/DependenceQuery.h"

#include "Captures.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace gpuestimate {

namespace {

class AtomicConverter {
public:
  AtomicConverter(llvm::Function &Kernel, unsigned Sm)
      : Kernel(Kernel), Sm(Sm) {
    llvm::PassBuilder().registerFunctionAnalyses(Analyses);
  }

  llvm::Error convert(const ReductionUpdate &U);
  void finish();

private:
  struct Update {
    llvm::LoadInst *Load = nullptr;
    llvm::StoreInst *Store = nullptr;
    AssociativeOperator Operator;
  };
  std::vector<Update> find(const ReductionUpdate &U);
  llvm::Value *atEntry(llvm::Value *V, unsigned Depth = 0);
  llvm::Error refuse(const ReductionUpdate &U,
                     const llvm::Twine &Reason) const {
    return refusal("the reduction in the " + U.Text + " at line " +
                   std::to_string(U.Location.Line) +
                   " cannot be mapped to threads: " + Reason);
  }

  llvm::Function &Kernel;
  unsigned Sm;
  llvm::FunctionAnalysisManager Analyses;
  std::vector<ThreadReduction> Results;
  llvm::DebugLoc Location;
};

} // namespace

void simplifyKernel(llvm::Function &Kernel) {
  llvm::FunctionAnalysisManager Analyses;
  llvm::PassBuilder().registerFunctionAnalyses(Analyses);
  llvm::FunctionPassManager Passes;
  Passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  Passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
  Passes.addPass(llvm::SimplifyCFGPass());
  Passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
  Passes.run(Kernel, Analyses);
}

std::vector<AtomicConverter::Update>
AtomicConverter::find(const ReductionUpdate &U) {
  const auto &Library = Analyses.getResult<llvm::TargetLibraryAnalysis>(Kernel);
  std::vector<Update> Matches;
  for (llvm::BasicBlock &BB : Kernel)
    for (llvm::Instruction &I : BB) {
      auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I);
      if (!Store || !Store->getDebugLoc() ||
          Store->getDebugLoc().getLine() != U.Location.Line ||
          Store->getDebugLoc().getCol() != U.Location.Column)
        continue;
      for (llvm::User *User : Store->getPointerOperand()->users()) {
        auto *Load = llvm::dyn_cast<llvm::LoadInst>(User);
        llvm::Value *Value = Store->getValueOperand();
        if (!Load || Load->getFunction() != &Kernel ||
            Load->getType() != Value->getType() ||
            accumulationOperator(Load, Value, /*Strict=*/true, Library) !=
                U.Operator)
          continue;
        Matches.push_back(
            {Load, Store, {U.Operator, Load->getType(), U.Unsigned}});
        break;
      }
    }
  return Matches;
}

/// Recomputes V in the entry block, if it depends on arguments only; else null.
llvm::Value *AtomicConverter::atEntry(llvm::Value *V, unsigned Depth) {
  if (llvm::isa<llvm::Constant, llvm::Argument>(V))
    return V;
  auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  if (!I || Depth == 16 ||
      !llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::BinaryOperator>(
          I))
    return nullptr;
  llvm::SmallVector<llvm::Value *> Operands;
  for (llvm::Value *Operand : I->operand_values()) {
    Operands.push_back(atEntry(Operand, Depth + 1));
    if (!Operands.back())
      return nullptr;
  }
  llvm::Instruction *Copy = I->clone();
  for (unsigned N = 0; N < Operands.size(); ++N)
    Copy->setOperand(N, Operands[N]);
  Copy->insertBefore(Kernel.getEntryBlock().getTerminator());
  return Copy;
}

llvm::Error AtomicConverter::convert(const ReductionUpdate &U) {
  std::vector<Update> Matches = find(U);
  if (Matches.empty())
    return refuse(
        U, "it is not a load, an operator and a store in the loop's own code");
  for (auto &[Load, Store, Operator] : Matches) {
    auto Atomic = Operator.atomic(Sm);
    if (!Atomic) {
      std::string Type;
      llvm::raw_string_ostream(Type) << *Operator.Type;
      return refuse(U, "the GPU has no atomic '" + U.Operator +
                           "' for its type (" + Type +
                           "); accumulate in a local variable instead");
    }
    llvm::Value *Pointer = Store->getPointerOperand();
    llvm::IRBuilder<> Builder(Store);
    if (llvm::Value *Fixed = atEntry(Pointer)) {
      llvm::IRBuilder<> First(&*Kernel.getEntryBlock().begin());
      auto *Own = First.CreateAlloca(Operator.Type, nullptr, "own");
      First.CreateStore(Operator.identity(), Own);
      Load->setOperand(0, Own);
      Store->setOperand(1, Own);
      Results.push_back({Operator, Own, Fixed, ThreadReduction::Atomic});
      Location = Store->getDebugLoc();
      continue;
    }
    Load->replaceAllUsesWith(Operator.identity());
    Builder.CreateAtomicRMW(*Atomic, Pointer, Store->getValueOperand(),
                            Store->getAlign(), llvm::AtomicOrdering::Monotonic);
    Store->eraseFromParent();
    Load->eraseFromParent();
  }
  return llvm::Error::success();
}

void AtomicConverter::finish() {
  if (Results.empty())
    return;
  reduceThreads(Kernel, Results, Location);
  Analyses.invalidate(Kernel, llvm::PreservedAnalyses::none());
  llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(Kernel, Analyses);
}

llvm::Error convertToAtomics(llvm::Function &Kernel,
                             llvm::ArrayRef<ReductionUpdate> Updates,
                             unsigned Sm) {
  simplifyKernel(Kernel);
  AtomicConverter C(Kernel, Sm);
  std::vector<ReductionUpdate> Done; // one update may be listed several times
  for (const ReductionUpdate &U : Updates) {
    if (llvm::any_of(Done, [&](const ReductionUpdate &Other) {
          return Other.Location == U.Location && Other.Operator == U.Operator;
        }))
      continue;
    if (llvm::Error E = C.convert(U))
      return E;
    Done.push_back(U);
  }
  C.finish();
  return llvm::Error::success();
}

} // namespace gpuestimate
