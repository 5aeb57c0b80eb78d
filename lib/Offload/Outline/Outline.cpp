/// \file
/// Captures, arguments and the copy of the code.
#include "Outliner.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gpuestimate {

const NestVariable *Outliner::variableOf(llvm::Value *V) {
  llvm::StringRef Name;
  unsigned Line = 0;
  bool IsThis = false;
  if (auto *Global = llvm::dyn_cast<llvm::GlobalVariable>(V)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> Descriptions;
    Global->getDebugInfo(Descriptions);
    if (Descriptions.empty())
      return nullptr;
    Name = Descriptions.front()->getVariable()->getName();
    Line = Descriptions.front()->getVariable()->getLine();
  } else {
    const llvm::DILocalVariable *Local = nullptr;
    for (llvm::DbgDeclareInst *D : llvm::findDbgDeclares(V))
      Local = D->getVariable();
    for (llvm::DbgVariableRecord *D : llvm::findDVRDeclares(V))
      Local = D->getVariable();
    if (!Local)
      return nullptr;
    Name = Local->getName();
    Line = Local->getLine();
    IsThis = Local->isObjectPointer();
  }
  for (const NestVariable &Variable : Code.nest().Variables)
    if (Variable.Argument.Name == Name && Variable.Location.Line == Line)
      return &Variable;
  return IsThis ? &This : nullptr;
}

void Outliner::capture(llvm::Value *V) {
  if (Captures.contains(V))
    return;
  Capture C{V, variableOf(V)};
  llvm::Type *Type = nullptr;
  if (auto *Local = llvm::dyn_cast<llvm::AllocaInst>(V))
    Type = Local->isArrayAllocation() ? nullptr : Local->getAllocatedType();
  else if (auto *Global = llvm::dyn_cast<llvm::GlobalVariable>(V))
    Type = Global->getValueType();
  C.IsObject = !Type || !Type->isSingleValueType();
  bool Escapes = false;
  for (llvm::User *U : V->users()) {
    auto *I = llvm::dyn_cast<llvm::Instruction>(U);
    if (!I || !Root.contains(I))
      continue;
    if (auto *Store = llvm::dyn_cast<llvm::StoreInst>(I)) {
      C.Written |= Store->getPointerOperand() == V;
      Escapes |= Store->getValueOperand() == V;
    } else if (!llvm::isa<llvm::LoadInst>(I) && !I->isLifetimeStartOrEnd()) {
      Escapes = true;
    }
  }
  // A global that is written is memory of all threads; a local scalar of the
  // nest is each thread's own.
  if (llvm::isa<llvm::GlobalVariable>(V) && (C.Written || Escapes))
    C.IsObject = true;
  Captures.insert({V, C});
}

bool Outliner::isCounter(const llvm::Value *Place) const {
  return llvm::any_of(*Root.getLoopLatch(), [&](const llvm::Instruction &I) {
    auto *Step = llvm::dyn_cast<llvm::StoreInst>(&I);
    return Step && Step->getPointerOperand() == Place;
  });
}

llvm::Error Outliner::findCaptures() {
  // Addresses of parts of global objects are constants; as instructions they
  // can be made to start from an argument.
  llvm::SmallVector<llvm::Constant *> Globals;
  for (llvm::GlobalVariable &G : F.getParent()->globals())
    if (!G.getName().starts_with("llvm."))
      Globals.push_back(&G);
  llvm::convertUsersOfConstantsToInstructions(Globals, &F);

  for (llvm::BasicBlock *BB : Root.blocks())
    for (llvm::Instruction &I : *BB) {
      if (I.isEHPad() || llvm::isa<llvm::InvokeInst, llvm::CallBrInst>(I))
        return refusal(
            "it needs exception handling" +
            (I.getDebugLoc()
                 ? " at line " + std::to_string(I.getDebugLoc().getLine())
                 : std::string()));
      for (llvm::Value *Operand : I.operands()) {
        if (auto *G = llvm::dyn_cast<llvm::GlobalVariable>(Operand)) {
          capture(G);
        } else if (auto *A = llvm::dyn_cast<llvm::AllocaInst>(Operand)) {
          if (!Root.contains(A))
            capture(A);
        } else if (auto *Argument = llvm::dyn_cast<llvm::Argument>(Operand)) {
          Capture C{Argument, variableOf(Argument)};
          C.IsObject = Argument->hasByValAttr();
          Captures.insert({Argument, C});
        } else if (auto *Value = llvm::dyn_cast<llvm::Instruction>(Operand)) {
          if (!Root.contains(Value) && !llvm::is_contained(Values, Value))
            Values.push_back(Value);
        }
      }
    }
  // The start of the nest's counter, and what the values above are made of.
  llvm::SmallVector<llvm::Value *> Work(Values.begin(), Values.end());
  llvm::SmallPtrSet<llvm::Value *, 16> Seen;
  for (llvm::Instruction &I : *Root.getLoopPredecessor())
    if (auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I))
      if (Captures.contains(Store->getPointerOperand()))
        Work.push_back(Store->getValueOperand());
  while (!Work.empty()) {
    llvm::Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second || Seen.size() > 256)
      continue;
    if (llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(V)) {
      capture(V);
    } else if (auto *I = llvm::dyn_cast<llvm::Instruction>(V)) {
      Work.append(I->value_op_begin(), I->value_op_end());
    }
  }
  return findUpdates();
}

void Outliner::declareKernel() {
  llvm::LLVMContext &Context = F.getContext();
  llvm::SmallVector<llvm::Type *> Types;
  for (auto &[Place, C] : Captures) {
    if (!C.Variable)
      continue;
    llvm::Type *Type = llvm::PointerType::get(Context, 0);
    if (!C.IsObject && !C.Update) {
      if (auto *Local = llvm::dyn_cast<llvm::AllocaInst>(Place))
        Type = Local->getAllocatedType();
      else if (auto *Global = llvm::dyn_cast<llvm::GlobalVariable>(Place))
        Type = Global->getValueType();
      else
        Type = Place->getType();
    }
    Types.push_back(Type);
  }
  if (Shape.Scan)
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
  for (auto &[Place, C] : Captures) {
    auto *Local = llvm::dyn_cast<llvm::AllocaInst>(Place);
    if (!C.Variable) { // a temporary of the compiler, each thread's own
      if (Local) {
        llvm::AllocaInst *Own = Builder.CreateAlloca(
            Local->getAllocatedType(), Local->getArraySize(), Local->getName());
        Own->setAlignment(Local->getAlign());
        Map[Place] = Own;
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
      else if (auto *Global = llvm::dyn_cast<llvm::GlobalVariable>(Place))
        Type = Global->getValueType();
      else if (auto *Argument = llvm::dyn_cast<llvm::Argument>(Place))
        Type = Argument->getParamByValType();
      // A structure is copied to the device; an array lies there.
      if (Aggregate && Type && !C.Written)
        A->addAttr(llvm::Attribute::getWithByValType(F.getContext(), Type));
      else if (Described.Kind != KernelArgument::Pointer) {
        Described.ElementBytes = Described.Bytes;
        Described.Kind = KernelArgument::Pointer;
        Described.Bytes = 8;
      }
      Map[Place] = A;
    } else if (C.Update) {
      llvm::AllocaInst *Own = Builder.CreateAlloca(C.Operator.Type, nullptr,
                                                   Described.Name + ".own");
      Builder.CreateStore(C.Operator.identity(), Own);
      Map[Place] = Own;
      Described = describeResult(C);
      A->setName(Described.Name);
      Results.push_back({C.Operator, Own, A,
                         C.Operator.atomic(Shape.Sm) ? ThreadResult::Atomic
                                                     : ThreadResult::PerBlock});
    } else if (llvm::isa<llvm::Argument>(Place)) {
      Map[Place] = A;
    } else {
      llvm::AllocaInst *Own =
          Builder.CreateAlloca(A->getType(), nullptr, Described.Name + ".own");
      if (C.IsScan) {
        Result.Scan.Operator = C.Operator;
        Result.Scan.First = A;
        Result.Scan.begin(Builder, A->getType());
        ScanOwn = Own;
      }
      Builder.CreateStore(
          C.IsScan ? Result.Scan.Before : static_cast<llvm::Value *>(A), Own);
      Map[Place] = Own;
    }
    if (Described.Restrict)
      A->addAttr(llvm::Attribute::NoAlias);
    Source.Arguments.push_back(std::move(Described));
  }
  if (Shape.Scan)
    addScanWords();
}

void Outliner::cloneBlocks() {
  for (llvm::BasicBlock *BB : Root.blocks()) {
    llvm::BasicBlock *New = llvm::CloneBasicBlock(BB, Map, "", Kernel);
    Map[BB] = New;
  }
  End->moveAfter(&Kernel->back());
  // Ways out of the nest end the thread.
  for (llvm::BasicBlock *BB : Root.blocks())
    for (llvm::BasicBlock *Next : llvm::successors(BB))
      if (!Root.contains(Next))
        Map[Next] = End;
}

/// A value of the host as a value of the kernel: loads of variables and
/// arithmetic on them are done again.
llvm::Expected<llvm::Value *> Outliner::recompute(llvm::Value *V,
                                                  unsigned Depth) {
  if (llvm::isa<llvm::Constant>(V) && !Map.count(V))
    return V;
  if (auto Known = Map.find(V); Known != Map.end())
    return static_cast<llvm::Value *>(Known->second);
  auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  bool Repeatable =
      I && Depth < 32 &&
      (llvm::isa<llvm::LoadInst, llvm::BinaryOperator, llvm::CastInst,
                 llvm::CmpInst, llvm::SelectInst, llvm::GetElementPtrInst>(I));
  if (!Repeatable)
    return refusal(
        "it starts from a value that is computed in a way that a "
        "thread cannot repeat" +
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
  for (llvm::Instruction *V : Values)
    if (llvm::Error E = recompute(V, 0).takeError())
      return E;
  // The counter's first value: the last store before the loop.
  llvm::SmallVector<llvm::StoreInst *> Starts;
  for (llvm::Instruction &I : *Root.getLoopPredecessor())
    if (auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I);
        Store && Captures.contains(Store->getPointerOperand()) &&
        !Captures.find(Store->getPointerOperand())->second.IsObject)
      Starts.push_back(Store);
  // Loads between them see the stores before; those are few: one for each
  // counter, of constants or of variables that the loop does not count.
  llvm::IRBuilder<> Builder(Entry);
  for (llvm::StoreInst *Store : Starts) {
    llvm::Value *Place = Store->getPointerOperand();
    if (!isCounter(Place))
      continue; // its value is an argument
    llvm::Expected<llvm::Value *> Value =
        recompute(Store->getValueOperand(), 0);
    if (!Value)
      return Value.takeError();
    Builder.SetInsertPoint(Entry);
    Builder.CreateStore(*Value, Map[Place]);
  }
  return llvm::Error::success();
}

llvm::Expected<OutlinedNest> Outliner::run() {
  if (llvm::Error E = findCaptures())
    return E;
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
    llvm::Value *Mapping = Map[BB];
    for (llvm::Instruction &I : *llvm::cast<llvm::BasicBlock>(Mapping)) {
      I.dropDbgRecords();
      llvm::RemapInstruction(&I, Map,
                             llvm::RF_NoModuleLevelChanges |
                                 llvm::RF_IgnoreMissingLocals);
    }
  }
  for (unsigned I = 0; I < Shape.Mapped.size(); ++I)
    if (llvm::Error E = spread(I))
      return fail(std::move(E));
  llvm::Value *Head = Map[Root.getHeader()];
  llvm::BranchInst::Create(llvm::cast<llvm::BasicBlock>(Head), Entry);
  for (llvm::BasicBlock &BB : *Kernel)
    for (llvm::Instruction &I : llvm::make_early_inc_range(BB))
      if (llvm::isa<llvm::DbgInfoIntrinsic>(I))
        I.eraseFromParent();
  if (!Results.empty())
    combineThreads(*Kernel, Results, Root.getStartLoc());
  Result.Kernel = Kernel;
  Result.At = Root.getStartLoc();
  return std::move(Result);
}

llvm::Expected<OutlinedNest> outlineNest(const NestCode &Code,
                                         const NestShape &Shape,
                                         KernelSource &Source) {
  return Outliner(Code, Shape, Source).run();
}

} // namespace gpuestimate
