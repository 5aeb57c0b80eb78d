/// \file
/// Outlining: the captures become arguments, the blocks are cloned, the mapped
/// loops become threads.
#include "OutlinedKernel.h"

#include "Captures.h"
#include "ThreadMapping.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace gpuestimate {

namespace {

/// Builds the kernel of one nest.
class Outliner {
public:
  Outliner(const IrLoopNest &Code, const IterationMapping &Mapping,
           KernelSource &Source)
      : Code(Code), Mapping(Mapping), Source(Source), F(Code.function()),
        Root(*Code.loop(0)), Analysis(Code, Mapping) {}

  llvm::Expected<OutlinedKernel> run();

private:
  void declareKernel();
  void bindArguments();
  KernelArgument describeResult(const Capture &C);
  void addScanWords();
  llvm::Error bindValues();
  llvm::Expected<llvm::Value *> recompute(llvm::Value *V, unsigned Depth);
  void cloneBlocks();
  llvm::Error mapToThreads(unsigned Dimension);

  const IrLoopNest &Code;
  const IterationMapping &Mapping;
  KernelSource &Source;
  llvm::Function &F;
  const llvm::Loop &Root;
  CaptureAnalysis Analysis;

  OutlinedKernel Result;
  std::vector<ThreadReduction> Reductions;
  llvm::Value *ScanVariable = nullptr; ///< the private copy, if it is a scan
  llvm::Function *Kernel = nullptr;
  llvm::BasicBlock *Entry = nullptr, *End = nullptr;
  llvm::ValueToValueMapTy Map;
};

} // namespace

void Outliner::declareKernel() {
  llvm::LLVMContext &Context = F.getContext();
  llvm::SmallVector<llvm::Type *> Types;
  for (auto &[Address, C] : Analysis.Captures) {
    if (!C.Variable)
      continue;
    llvm::Type *Type = llvm::PointerType::get(Context, 0);
    if (!C.IsObject && !C.Update) {
      if (auto *Local = llvm::dyn_cast<llvm::AllocaInst>(Address))
        Type = Local->getAllocatedType();
      else if (auto *Global = llvm::dyn_cast<llvm::GlobalVariable>(Address))
        Type = Global->getValueType();
      else
        Type = Address->getType();
    }
    Types.push_back(Type);
  }
  if (Mapping.Scan)
    Types.push_back(llvm::PointerType::get(Context, 0));
  Kernel = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(Context), Types, false),
      llvm::GlobalValue::ExternalLinkage, Source.Mangled, F.getParent());
  Source.Mangled = Kernel->getName().str();
  Kernel->setCallingConv(llvm::CallingConv::PTX_Kernel);
  Entry = llvm::BasicBlock::Create(Context, "entry", Kernel);
  End = llvm::BasicBlock::Create(Context, "end", Kernel);
  llvm::ReturnInst::Create(Context, End);
}

void Outliner::bindArguments() {
  llvm::IRBuilder<> Builder(Entry);
  unsigned Next = 0;
  for (auto &[Address, C] : Analysis.Captures) {
    auto *Local = llvm::dyn_cast<llvm::AllocaInst>(Address);
    if (!C.Variable) { // a temporary of the compiler, private to the thread
      if (Local) {
        llvm::AllocaInst *Own = Builder.CreateAlloca(
            Local->getAllocatedType(), Local->getArraySize(), Local->getName());
        Own->setAlignment(Local->getAlign());
        Map[Address] = Own;
      }
      continue;
    }
    llvm::Argument *A = Kernel->getArg(Next);
    KernelArgument Described = C.Variable->Argument;
    A->setName(Described.Name);
    for (const AggregateMember &Member : C.Variable->Members)
      Source.Members.push_back({Next, Member.Offset, Member.Name});
    ++Next;
    bool Aggregate = Described.Kind == KernelArgument::Aggregate;
    if (C.IsObject) {
      llvm::Type *Type = nullptr;
      if (Local)
        Type = Local->getAllocatedType();
      else if (auto *Global = llvm::dyn_cast<llvm::GlobalVariable>(Address))
        Type = Global->getValueType();
      else if (auto *Argument = llvm::dyn_cast<llvm::Argument>(Address))
        Type = Argument->getParamByValType();
      // A structure is passed by value, an array by pointer.
      if (Aggregate && Type && !C.Written)
        A->addAttr(llvm::Attribute::getWithByValType(F.getContext(), Type));
      else if (Described.Kind != KernelArgument::Pointer) {
        Described.ElementBytes = Described.Bytes;
        Described.Kind = KernelArgument::Pointer;
        Described.Bytes = 8;
      }
      Map[Address] = A;
    } else if (C.Update) {
      llvm::AllocaInst *Own = Builder.CreateAlloca(C.Operator.Type, nullptr,
                                                   Described.Name + ".own");
      Builder.CreateStore(C.Operator.identity(), Own);
      Map[Address] = Own;
      Described = describeResult(C);
      A->setName(Described.Name);
      Reductions.push_back({C.Operator, Own, A,
                            C.Operator.atomic(Mapping.Sm)
                                ? ThreadReduction::Atomic
                                : ThreadReduction::PerBlock});
    } else if (llvm::isa<llvm::Argument>(Address)) {
      Map[Address] = A;
    } else {
      llvm::AllocaInst *Own =
          Builder.CreateAlloca(A->getType(), nullptr, Described.Name + ".own");
      if (C.IsScan) {
        Result.Scan.Operator = C.Operator;
        Result.Scan.First = A;
        Result.Scan.begin(Builder, A->getType());
        ScanVariable = Own;
      }
      Builder.CreateStore(
          C.IsScan ? Result.Scan.Before : static_cast<llvm::Value *>(A), Own);
      Map[Address] = Own;
    }
    if (Described.Restrict)
      A->addAttr(llvm::Attribute::NoAlias);
    Source.Arguments.push_back(std::move(Described));
  }
  if (Mapping.Scan)
    addScanWords();
}

void Outliner::cloneBlocks() {
  for (llvm::BasicBlock *BB : Root.blocks()) {
    llvm::BasicBlock *New = llvm::CloneBasicBlock(BB, Map, "", Kernel);
    Map[BB] = New;
  }
  End->moveAfter(&Kernel->back());
  // Exits of the nest end the thread.
  for (llvm::BasicBlock *BB : Root.blocks())
    for (llvm::BasicBlock *Next : llvm::successors(BB))
      if (!Root.contains(Next))
        Map[Next] = End;
}

/// Recomputes a value of the host in the kernel: loads of variables and
/// arithmetic on them.
llvm::Expected<llvm::Value *> Outliner::recompute(llvm::Value *V,
                                                  unsigned Depth) {
  if (llvm::isa<llvm::Constant>(V) && !Map.count(V))
    return V;
  if (auto Mapped = Map.find(V); Mapped != Map.end())
    return static_cast<llvm::Value *>(Mapped->second);
  auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  bool Repeatable =
      I && Depth < 32 &&
      (llvm::isa<llvm::LoadInst, llvm::BinaryOperator, llvm::CastInst,
                 llvm::CmpInst, llvm::SelectInst, llvm::GetElementPtrInst>(I));
  if (!Repeatable)
    return refusal(
        "it uses a value from before the loop that threads cannot recompute; "
        "store it in a variable first" +
        (I && I->getDebugLoc()
             ? " (line " + std::to_string(I->getDebugLoc().getLine()) + ")"
             : std::string()));
  llvm::Instruction *Copy = I->clone();
  for (llvm::Use &Operand : Copy->operands()) {
    llvm::Expected<llvm::Value *> New = recompute(Operand.get(), Depth + 1);
    if (!New) {
      Copy->deleteValue();
      return New;
    }
    Operand.set(*New);
  }
  Copy->insertInto(Entry, Entry->end());
  Map[V] = Copy;
  return Copy;
}

llvm::Error Outliner::bindValues() {
  for (llvm::Instruction *V : Analysis.Values)
    if (llvm::Error E = recompute(V, 0).takeError())
      return E;
  // The initial value of the counter is the last store before the loop.
  llvm::SmallVector<llvm::StoreInst *> Starts;
  for (llvm::Instruction &I : *Root.getLoopPredecessor())
    if (auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I);
        Store && Analysis.Captures.contains(Store->getPointerOperand()) &&
        !Analysis.Captures.find(Store->getPointerOperand())->second.IsObject)
      Starts.push_back(Store);
  // Loads between these stores see the earlier ones. There is one store per
  // counter, of a constant or of a variable that the loop does not change.
  llvm::IRBuilder<> Builder(Entry);
  for (llvm::StoreInst *Store : Starts) {
    llvm::Value *Address = Store->getPointerOperand();
    if (!Analysis.isCounter(Address))
      continue; // its value is an argument
    llvm::Expected<llvm::Value *> Value =
        recompute(Store->getValueOperand(), 0);
    if (!Value)
      return Value.takeError();
    Builder.SetInsertPoint(Entry);
    Builder.CreateStore(*Value, Map[Address]);
  }
  return llvm::Error::success();
}

/// Adds the argument for the look-back words, the last one.
void Outliner::addScanWords() {
  Result.Scan.Words = Kernel->getArg(Kernel->arg_size() - 1);
  KernelArgument Words;
  Words.Name = "look_back";
  Words.Kind = KernelArgument::Pointer;
  Words.Bytes = 8;
  Result.Scan.Words->setName(Words.Name);
  Source.Arguments.push_back(Words);
  if (!ScanVariable)
    return;
  llvm::IRBuilder<> Builder(End->getTerminator());
  Result.Scan.end(Builder,
                  Builder.CreateLoad(Result.Scan.Operator.Type, ScanVariable));
}

/// The argument for the result of a reduction or for its partial results.
KernelArgument Outliner::describeResult(const Capture &C) {
  KernelArgument Whole = C.Variable->Argument;
  Whole.ElementBytes = Whole.Bytes;
  Whole.Kind = KernelArgument::Pointer;
  Whole.Bytes = 8;
  Whole.Const = false;
  if (C.Operator.atomic(Mapping.Sm)) {
    Result.ResultBytes[Whole.Name] = Whole.ElementBytes;
    return Whole;
  }
  KernelArgument Parts = Whole;
  Parts.Name += "_partials";
  Result.Partials.push_back({C.Operator, Parts, Whole});
  return Parts;
}

llvm::Error Outliner::mapToThreads(unsigned Dimension) {
  const llvm::Loop &L = *Code.loop(Mapping.Mapped[Dimension]);
  auto cloneOf = [&](const llvm::BasicBlock *BB) {
    return llvm::cast<llvm::BasicBlock>(static_cast<llvm::Value *>(Map[BB]));
  };
  ClonedLoop Clone{&L == &Root ? Entry : cloneOf(L.getLoopPredecessor()),
                   cloneOf(L.getHeader()), cloneOf(L.getLoopLatch())};
  return mapLoopToThreads(L, Clone, Dimension, Result.Strided);
}

llvm::Expected<OutlinedKernel> Outliner::run() {
  if (llvm::Error E = Analysis.run())
    return E;
  Result.Strided = Analysis.Strided;
  Result.InMemory = std::move(Analysis.UpdatesInMemory);
  declareKernel();
  auto fail = [&](llvm::Error E) {
    Kernel->dropAllReferences();
    Kernel->eraseFromParent();
    return E;
  };
  bindArguments();
  if (llvm::Error E = bindValues())
    return fail(std::move(E));
  cloneBlocks();
  for (llvm::BasicBlock *BB : Root.blocks()) {
    llvm::Value *Copy = Map[BB];
    for (llvm::Instruction &I : *llvm::cast<llvm::BasicBlock>(Copy)) {
      I.dropDbgRecords();
      llvm::RemapInstruction(&I, Map,
                             llvm::RF_NoModuleLevelChanges |
                                 llvm::RF_IgnoreMissingLocals);
    }
  }
  for (unsigned I = 0; I < Mapping.Mapped.size(); ++I)
    if (llvm::Error E = mapToThreads(I))
      return fail(std::move(E));
  llvm::Value *Head = Map[Root.getHeader()];
  llvm::BranchInst::Create(llvm::cast<llvm::BasicBlock>(Head), Entry);
  for (llvm::BasicBlock &BB : *Kernel)
    for (llvm::Instruction &I : llvm::make_early_inc_range(BB))
      if (llvm::isa<llvm::DbgInfoIntrinsic>(I))
        I.eraseFromParent();
  if (!Reductions.empty())
    reduceThreads(*Kernel, Reductions, Root.getStartLoc());
  Result.Kernel = Kernel;
  Result.Location = Root.getStartLoc();
  return std::move(Result);
}

llvm::Expected<OutlinedKernel> outlineKernel(const IrLoopNest &Code,
                                             const IterationMapping &Mapping,
                                             KernelSource &Source) {
  return Outliner(Code, Mapping, Source).run();
}

} // namespace gpuestimate
