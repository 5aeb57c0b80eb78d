/// \file
/// The stages of lowering one kernel.
#include "gpu-estimate/Lowering/LowerKernel.h"
#include "gpu-estimate/Ptx/InlineAssembly.h"

#include "Lowering/Control/Conditions.h"
#include "Lowering/Control/Regions.h"
#include "Lowering/Control/TripCounts.h"
#include "Lowering/Pipeline/Analyses.h"
#include "Lowering/Registers/Registers.h"
#include "Lowering/Selection/Operations.h"
#include "Lowering/Selection/UnrollFactors.h"
#include "Lowering/Values/Unknowns.h"
#include "Lowering/Values/ValueKeys.h"
#include "Lowering/Values/Values.h"
#include "gpu-estimate/Lowering/Values/IrOrigins.h"
#include "gpu-estimate/Model/Transform/SharedTile.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/TermDepth.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace gpuestimate {

namespace {

/// The arguments of Source; those that the front end did not give, from the IR.
std::vector<KernelArgument> argumentsOf(const llvm::Function &F,
                                        const KernelSource &Source,
                                        const Values &V) {
  std::vector<KernelArgument> Arguments = Source.Arguments;
  const llvm::DataLayout &DL = F.getParent()->getDataLayout();
  for (unsigned I = Arguments.size(); I < F.arg_size(); ++I) {
    const llvm::Argument &Arg = *F.getArg(I);
    KernelArgument &K = Arguments.emplace_back();
    K.Name = V.argumentName(Arg);
    llvm::Type *T = Arg.getType();
    if (Arg.hasByValAttr()) {
      K.Kind = KernelArgument::Aggregate;
      T = Arg.getParamByValType();
    } else if (T->isPointerTy()) {
      K.Kind = KernelArgument::Pointer;
      K.Restrict = Arg.hasNoAliasAttr();
      K.Const = Arg.onlyReadsMemory();
    } else if (T->isFloatingPointTy()) {
      K.Kind = KernelArgument::Real;
    } else if (!T->isIntegerTy()) {
      K.Kind = KernelArgument::Aggregate;
    }
    K.Bytes = static_cast<unsigned>(DL.getTypeAllocSize(T));
  }
  return Arguments;
}

/// End in bytes of the last access of F at a constant offset in G. Variable
/// parts of an address are taken as 0: they are indices, which count up from
/// there. What is no sum, such as a swizzled address, is not followed. A call
/// (a copy, a barrier, inline assembly) accesses at least one byte.
uint64_t lastConstantOffset(const llvm::GlobalVariable &G,
                            const llvm::Function &F,
                            const llvm::DataLayout &DL) {
  int64_t End = 0;
  llvm::SmallVector<std::pair<const llvm::Value *, int64_t>> Work{{&G, 0}};
  llvm::SmallPtrSet<const llvm::Value *, 32> Seen;
  while (!Work.empty() && spendWork()) {
    auto [V, Offset] = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (const llvm::User *U : V->users()) {
      const auto *I = llvm::dyn_cast<llvm::Instruction>(U);
      if (I && I->getFunction() != &F)
        continue;
      uint64_t Bytes = 0;
      if (const auto *Gep = llvm::dyn_cast<llvm::GEPOperator>(U)) {
        llvm::MapVector<llvm::Value *, llvm::APInt> Variables;
        unsigned Width = DL.getIndexTypeSizeInBits(Gep->getType());
        llvm::APInt Constant(Width, 0);
        if (Gep->getPointerOperand() == V &&
            Gep->collectOffset(DL, Width, Variables, Constant))
          Work.push_back({U, Offset + Constant.getSExtValue()});
      } else if (llvm::Operator::getOpcode(U) == llvm::Instruction::Add) {
        const auto *Constant =
            llvm::dyn_cast<llvm::ConstantInt>(U->getOperand(1));
        Work.push_back({U, Offset + (Constant ? Constant->getSExtValue() : 0)});
      } else if (llvm::isa<llvm::BitCastOperator, llvm::AddrSpaceCastOperator,
                           llvm::PtrToIntOperator>(U) ||
                 llvm::Operator::getOpcode(U) == llvm::Instruction::IntToPtr) {
        Work.push_back({U, Offset});
      } else if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(U)) {
        Bytes = DL.getTypeStoreSize(Load->getType());
      } else if (const auto *Store = llvm::dyn_cast<llvm::StoreInst>(U)) {
        if (Store->getPointerOperand() == V)
          Bytes = DL.getTypeStoreSize(Store->getValueOperand()->getType());
      } else if (llvm::isa<llvm::CallBase>(U)) {
        Bytes = 1;
      }
      if (Bytes)
        End = std::max(End, Offset + static_cast<int64_t>(Bytes));
    }
  }
  return static_cast<uint64_t>(End);
}

/// Adds the shared and private memory that the kernel declares or reaches.
void addMemory(llvm::Function &F, Resources &Res) {
  const llvm::DataLayout &DL = F.getParent()->getDataLayout();
  llvm::SmallPtrSet<const llvm::GlobalVariable *, 8> Seen;
  llvm::SmallPtrSet<const llvm::Value *, 32> Visited;
  llvm::SmallVector<const llvm::Value *> Work;
  for (llvm::BasicBlock &BB : F)
    for (llvm::Instruction &I : BB) {
      if (const auto *Private = llvm::dyn_cast<llvm::AllocaInst>(&I))
        if (auto Size = Private->getAllocationSize(DL);
            Size && !Size->isScalable())
          Res.LocalBytes += Size->getFixedValue();
      for (const llvm::Value *Operand : I.operands())
        if (llvm::isa<llvm::Constant>(Operand))
          Work.push_back(Operand);
    }
  while (!Work.empty()) {
    const llvm::Value *V = Work.pop_back_val();
    if (!Visited.insert(V).second)
      continue;
    if (const auto *G = llvm::dyn_cast<llvm::GlobalVariable>(V)) {
      if (G->getAddressSpace() == addrspace::Shared && Seen.insert(G).second) {
        uint64_t Size = DL.getTypeAllocSize(G->getValueType());
        Res.StaticSharedBytes =
            llvm::alignTo(Res.StaticSharedBytes, G->getAlign().valueOrOne()) +
            Size;
        if (Size == 0 || (G->isDeclaration() && Size <= 1)) {
          Res.UsesDynamicShared = true;
          Res.DynamicSharedAtLeast =
              std::max(Res.DynamicSharedAtLeast, lastConstantOffset(*G, F, DL));
        }
      }
      continue;
    }
    if (const auto *C = llvm::dyn_cast<llvm::ConstantExpr>(V))
      Work.append(C->value_op_begin(), C->value_op_end());
  }
}

} // namespace

/// Adds to the unknowns that depend on data how they do.
static void addForms(KernelAnalyses &A, Values &V, Unknowns &Names,
                     TripCounts &Trips, KernelModel &Model) {
  DataForms Forms(A, V, Names, *Model.Context);
  Names.forEachUsed([&](Unknown &U, const llvm::Value *Source,
                        llvm::ArrayRef<UnknownOrigin> Origins) {
    DataForms::Form Form;
    const auto *I = llvm::dyn_cast_or_null<llvm::Instruction>(Source);
    if (U.Kind == Unknown::LoadedValue && I && llvm::isa<llvm::LoadInst>(I)) {
      Form = Forms.of(I);
    } else if (U.Kind == Unknown::LoadedValue && I) {
      U.Key = keyOfValue(*I, V, Names, *Model.Context);
    } else if (U.Kind == Unknown::TripCount && I && !U.UpperBound) {
      Form = Trips.dataForm(A.LI.getLoopFor(I->getParent()), Forms);
    } else if (U.Kind == Unknown::BranchProbability && !Origins.empty() &&
               Origins.front().V && !Origins.front().To) {
      Form = Forms.of(Origins.front().V);
      if (Form && Origins.front().Opposite)
        Form.Value = 1.0 - Form.Value;
    }
    if (!Form || Form.Loads.empty())
      return;
    U.Form = Form.Value;
    U.Loads = std::move(Form.Loads);
  });
}

/// Records the IR origins of the blocks, loops and accesses; call before
/// Unknowns::finish().
static void recordOrigins(IrOrigins &Origins, const KernelAnalyses &A,
                          const Regions &R, const Conditions &C,
                          const Operations &O, const KernelModel &Model) {
  Origins.Blocks.assign(Model.Blocks.size(), nullptr);
  for (const auto &[BB, Index] : R.blocks())
    Origins.Blocks[Index] = BB;
  Origins.Loops.assign(Model.Loops.size(), {});
  for (const llvm::Loop *L : A.LI.getLoopsInPreorder())
    Origins.Loops[R.loopIndex(L)] = {L->getHeader(),
                                     L->isLoopExiting(L->getHeader()) &&
                                         testsAtStart(*L, *L->getHeader()),
                                     C.guardOf(L)};
  Origins.Accesses = O.accessOrigins();
  Origins.Divisions = O.checkedDivisions();
}

/// Registers of a thread that setmaxnreg.inc takes from other warps, beyond its
/// share at the start of a block of Threads; 0 where the block is not known.
/// 65536 registers of a multiprocessor, in steps of 8: CUDA programming guide,
/// compute capability 9.0 and later, which alone have the instruction.
static unsigned registersTaken(const llvm::Function &F, unsigned Threads) {
  constexpr unsigned OfSm = 65536, Step = 8;
  unsigned Most = 0;
  for (const llvm::Instruction &I : llvm::instructions(F))
    if (InlineAssembly Assembly(I); !Assembly.instructions().empty())
      for (const PtxInstruction &P : Assembly.instructions())
        if (P.Opcode == "setmaxnreg" && P.has("inc"))
          for (const PtxOperand &O : P.Operands)
            Most = std::max<unsigned>(Most, Assembly.constant(O).value_or(0));
  if (Most == 0 || Threads == 0)
    return 0;
  unsigned Share = OfSm / Threads / Step * Step;
  return Most > Share ? Most - Share : 0;
}

static llvm::Expected<KernelModel>
lowerFunction(llvm::Function &F, const KernelSource &Source, IrOrigins *Origins,
              const SpecialDivisions *Special, CallSummaries &Calls) {
  if (F.isDeclaration())
    return llvm::createStringError("the kernel %s has no body in this module",
                                   F.getName().str().c_str());

  KernelModel Model;
  Model.Context = std::make_shared<ExprContext>();
  Model.Mangled = Source.Mangled.empty() ? F.getName().str() : Source.Mangled;
  Model.Name = Source.Name.empty() ? Model.Mangled : Source.Name;
  Model.Location = Source.Location;
  Model.Nest = Source.Nest;
  Model.Premises = Source.Premises;

  KernelAnalyses A(F);
  Unknowns Names(Model);
  Values V(A, Source, Model, Names);
  Conditions C(A, V, Names, *Model.Context);
  TripCounts Trips(A, V, Names, *Model.Context);
  V.setTripCounts([&Trips](const llvm::Loop *L) { return Trips.of(L); });
  Regions R(A, V, C, Trips, Names, Model, F);

  auto EndedEarly = [&] {
    return llvm::createStringError("the analysis of %s ended early",
                                   Model.Name.c_str());
  };
  Model.Arguments = argumentsOf(F, Source, V);
  R.nameLoops();
  R.build();
  if (workExhausted())
    return EndedEarly();
  Operations O(A, V, R, Names, Model, F, {Source.Divisions, Special}, Calls,
               Trips.clockLoops());
  O.build();
  if (workExhausted())
    return EndedEarly();
  setUnrollFactors(Model, A.LI, R, O.selection(), F, Source.IsCompiled);

  addMemory(F, Model.Res);
  Model.Res.MaxThreadsPerBlock = Source.MaxThreadsPerBlock;
  Model.Res.MinBlocksPerSm = Source.MinBlocksPerSm;
  RegisterEstimate Registers =
      estimateRegisters(A, O.selection(), F, [&](const llvm::Loop *L) {
        return Model.Loops[R.loopIndex(L)].Unroll;
      });
  unsigned Taken = registersTaken(F, Source.MaxThreadsPerBlock);
  auto Own = [&](unsigned Count) { return Count - std::min(Count, Taken); };
  Model.Res.RegistersPerThread = Own(Registers.UnscheduledCount);
  Model.Res.RegistersAtLeast = Own(Registers.ScheduledCount);
  if (Origins)
    recordOrigins(*Origins, A, R, C, O, Model);
  addForms(A, V, Names, Trips, Model);
  Names.finish(Origins);
  if (workExhausted())
    return EndedEarly();
  if (refusedDeepTerms(*Model.Context))
    return llvm::createStringError(
        "the conditions or addresses of %s are nested more than %u deep",
        Model.Name.c_str(), MaxTermDepth);
  if (std::string Problem = checkConsistency(Model); !Problem.empty())
    return llvm::createStringError("the model of %s is not consistent: %s",
                                   Model.Name.c_str(), Problem.c_str());
  if (Source.Nest && !Source.Nest->Shared.empty())
    if (llvm::Error E =
            tileIntoShared(Model, Source.Nest->Shared, Source.Nest->Tile))
      return E;
  return Model;
}

llvm::Expected<KernelModel> lowerKernel(llvm::Function &F,
                                        const KernelSource &Source,
                                        IrOrigins *Origins,
                                        const SpecialDivisions *Special) {
  KernelSource OfCallee;
  OfCallee.Divisions = Source.Divisions;
  OfCallee.IsCompiled = Source.IsCompiled;
  CallSummaries Calls([&](llvm::Function &Callee) {
    return lowerFunction(Callee, OfCallee, nullptr, nullptr, Calls);
  });
  return lowerFunction(F, Source, Origins, Special, Calls);
}

} // namespace gpuestimate
