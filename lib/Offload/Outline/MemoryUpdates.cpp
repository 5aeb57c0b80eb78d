/// \file
/// Updates of memory that other iterations also update, `h[x[i]] += 1`: one
/// atomic operation in place of load, operator, store. An element that is the
/// same for all threads (`*sum += x[i]`) is taken care of as a local variable
/// would be: each thread adds up, the block combines, one thread per block
/// goes to memory.
#include "Offload/Dependence/DependencesInternal.h"
#include "Outliner.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace gpuestimate {

namespace {

class Converter {
public:
  Converter(llvm::Function &Kernel, unsigned Sm) : Kernel(Kernel), Sm(Sm) {
    llvm::PassBuilder().registerFunctionAnalyses(Analyses);
  }

  llvm::Error convert(const LoopUpdate &U);
  void finish();

private:
  struct Update {
    llvm::LoadInst *Load = nullptr;
    llvm::StoreInst *Store = nullptr;
    CombineOperator Operator;
  };
  std::vector<Update> find(const LoopUpdate &U);
  llvm::Value *atEntry(llvm::Value *V, unsigned Depth = 0);
  llvm::Error refuse(const LoopUpdate &U, const llvm::Twine &Why) const {
    return refusal("iterations meet in the " + U.Text + " at line " +
                   std::to_string(U.Location.Line) + Why);
  }

  llvm::Function &Kernel;
  unsigned Sm;
  llvm::FunctionAnalysisManager Analyses;
  std::vector<ThreadResult> Results;
  llvm::DebugLoc At;
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

std::vector<Converter::Update> Converter::find(const LoopUpdate &U) {
  const auto &Library = Analyses.getResult<llvm::TargetLibraryAnalysis>(Kernel);
  std::vector<Update> Found;
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
            operatorBetween(Load, Value, /*Strict=*/true, Library) !=
                U.Operator)
          continue;
        Found.push_back(
            {Load, Store, {U.Operator, Load->getType(), U.Unsigned}});
        break;
      }
    }
  return Found;
}

/// V at the kernel's start, if it follows from arguments alone; else null.
llvm::Value *Converter::atEntry(llvm::Value *V, unsigned Depth) {
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

llvm::Error Converter::convert(const LoopUpdate &U) {
  std::vector<Update> Found = find(U);
  if (Found.empty())
    return refuse(U, ", which is no load, operator and store in the loop's own "
                     "code");
  for (auto &[Load, Store, Operator] : Found) {
    auto Atomic = Operator.atomic(Sm);
    if (!Atomic) {
      std::string Type;
      llvm::raw_string_ostream(Type) << *Operator.Type;
      return refuse(U, "; the GPU has no atomic '" + U.Operator +
                           "' of its type (" + Type +
                           "); a local variable could be combined by the "
                           "blocks");
    }
    llvm::Value *Pointer = Store->getPointerOperand();
    llvm::IRBuilder<> Builder(Store);
    if (llvm::Value *Fixed = atEntry(Pointer)) {
      llvm::IRBuilder<> First(&*Kernel.getEntryBlock().begin());
      auto *Own = First.CreateAlloca(Operator.Type, nullptr, "own");
      First.CreateStore(Operator.identity(), Own);
      Load->setOperand(0, Own);
      Store->setOperand(1, Own);
      Results.push_back({Operator, Own, Fixed, ThreadResult::Atomic});
      At = Store->getDebugLoc();
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

void Converter::finish() {
  if (Results.empty())
    return;
  combineThreads(Kernel, Results, At);
  Analyses.invalidate(Kernel, llvm::PreservedAnalyses::none());
  llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(Kernel, Analyses);
}

llvm::Error convertUpdates(llvm::Function &Kernel,
                           llvm::ArrayRef<LoopUpdate> Updates, unsigned Sm) {
  simplifyKernel(Kernel);
  Converter C(Kernel, Sm);
  std::vector<LoopUpdate> Done; // one update is found in several pairs
  for (const LoopUpdate &U : Updates) {
    if (llvm::any_of(Done, [&](const LoopUpdate &Other) {
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
