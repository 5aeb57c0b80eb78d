/// \file
/// Local variables of the host through which iterations meet (`s += x`): each
/// thread starts from the operator's identity and its own share of the
/// iterations; at the kernel's end threads combine what they have.
#include "Outliner.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"

namespace gpuestimate {

/// How the debugger would show the variable at Place: 0 if it cannot be told.
static unsigned encodingOf(llvm::Value *Place) {
  const llvm::DILocalVariable *Variable = nullptr;
  for (llvm::DbgDeclareInst *D : llvm::findDbgDeclares(Place))
    Variable = D->getVariable();
  for (llvm::DbgVariableRecord *D : llvm::findDVRDeclares(Place))
    Variable = D->getVariable();
  const llvm::DIType *Type = Variable ? Variable->getType() : nullptr;
  while (const auto *Derived =
             llvm::dyn_cast_or_null<llvm::DIDerivedType>(Type))
    Type = Derived->getBaseType(); // typedef, const
  const auto *Basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(Type);
  return Basic ? Basic->getEncoding() : 0;
}

static CombineOperator operatorOf(const LoopUpdate &U,
                                  llvm::AllocaInst &Variable) {
  unsigned Encoding = encodingOf(&Variable);
  return {U.Operator, Variable.getAllocatedType(),
          Encoding == llvm::dwarf::DW_ATE_unsigned ||
              Encoding == llvm::dwarf::DW_ATE_unsigned_char,
          Encoding == llvm::dwarf::DW_ATE_boolean};
}

/// Is it the variable that U is about?
bool Outliner::matches(const LoopUpdate &U, llvm::Value *Place,
                       const Capture &C) const {
  return llvm::isa<llvm::AllocaInst>(Place) && !C.IsObject && C.Written &&
         C.Variable &&
         llvm::any_of(U.Variables, [&](const LoopUpdate::Variable &V) {
           return V.Name == C.Variable->Argument.Name &&
                  (V.Line == 0 || V.Line == C.Variable->Location.Line);
         });
}

llvm::Error Outliner::findScan() {
  const LoopUpdate &U = *Shape.Scan;
  for (auto &[Place, C] : Captures)
    if (matches(U, Place, C) && !isCounter(Place)) {
      C.IsScan = true;
      C.Operator = operatorOf(U, *llvm::cast<llvm::AllocaInst>(Place));
      if (std::string Why = C.Operator.problem(); !Why.empty())
        return refusal("it is a scan, " + U.Text + ", but " + Why);
      return llvm::Error::success();
    }
  return U.Variables.empty()
             ? llvm::Error::success() // in memory: makeScan finds it
             : refusal("it is a scan, " + U.Text +
                       ", but not of a variable "
                       "of the function around the loop");
}

void ScanMarks::begin(llvm::IRBuilder<> &Builder, llvm::Type *Type) {
  Before = Builder.CreateCall(llvm::Function::Create(
      llvm::FunctionType::get(Type, false), llvm::GlobalValue::ExternalLinkage,
      "gpu_estimate.before", Builder.GetInsertBlock()->getModule()));
}

void ScanMarks::end(llvm::IRBuilder<> &Builder, llvm::Value *Result) {
  After = Builder.CreateCall(
      llvm::Function::Create(
          llvm::FunctionType::get(Builder.getVoidTy(), {Result->getType()},
                                  false),
          llvm::GlobalValue::ExternalLinkage, "gpu_estimate.after",
          Builder.GetInsertBlock()->getModule()),
      {Result});
}

/// The last argument.
void Outliner::addScanWords() {
  Result.Scan.Words = Kernel->getArg(Kernel->arg_size() - 1);
  KernelArgument Words;
  Words.Name = "look_back";
  Words.Kind = KernelArgument::Pointer;
  Words.Bytes = 8;
  Result.Scan.Words->setName(Words.Name);
  Source.Arguments.push_back(Words);
  if (!ScanOwn)
    return;
  llvm::IRBuilder<> Builder(End->getTerminator());
  Result.Scan.end(Builder,
                  Builder.CreateLoad(Result.Scan.Operator.Type, ScanOwn));
}

llvm::Error Outliner::findUpdates() {
  if (Shape.Scan)
    if (llvm::Error E = findScan())
      return E;
  for (const LoopUpdate &U : Shape.Updates) {
    bool Local = false;
    for (auto &[Place, C] : Captures) {
      if (!matches(U, Place, C))
        continue;
      Local = true;
      C.Update = &U;
      C.Operator = operatorOf(U, *llvm::cast<llvm::AllocaInst>(Place));
      if (std::string Why = C.Operator.problem(); !Why.empty())
        return refusal("iterations meet in the " + U.Text + ": " + Why);
    }
    bool Known = U.Location.isValid(); // else it is only said in a clause
    if (!Local && Known && U.Variables.empty())
      Result.InMemory.push_back(U);
    else if (!Local && Known)
      return refusal("iterations meet in the " + U.Text + " at line " +
                     std::to_string(U.Location.Line) +
                     ", which is no variable of the function around the loop");
  }
  Result.Strided =
      Shape.Mapped.size() == 1 &&
      (llvm::any_of(Captures, [](const auto &C) { return C.second.Update; }) ||
       llvm::any_of(Result.InMemory,
                    [](const LoopUpdate &U) { return U.SameElement; }));
  return refuseSums();
}

/// Is V computed from what is in Place?
static bool dependsOn(const llvm::Value *V, const llvm::Value *Place,
                      unsigned Depth = 8) {
  const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  if (!I || Depth == 0)
    return false;
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(I))
    return Load->getPointerOperand() == Place;
  return llvm::any_of(I->operand_values(), [&](const llvm::Value *Operand) {
    return dependsOn(Operand, Place, Depth - 1);
  });
}

/// A thread's own copy of a sum that nobody knows to be one would be dead, and
/// with it the work that makes it.
llvm::Error Outliner::refuseSums() const {
  for (const auto &[Place, C] : Captures) {
    if (!llvm::isa<llvm::AllocaInst>(Place) || C.IsObject || !C.Written ||
        !C.Variable || C.Update || C.IsScan || isCounter(Place))
      continue;
    bool Begun = false;
    for (const llvm::User *U : Place->users()) {
      const auto *Store = llvm::dyn_cast<llvm::StoreInst>(U);
      if (!Store || Store->getPointerOperand() != Place ||
          !Root.contains(Store))
        continue;
      Begun |= !dependsOn(Store->getValueOperand(), Place);
    }
    if (!Begun)
      return refusal("it adds up over its iterations in '" +
                     C.Variable->Argument.Name +
                     "' in a way that threads cannot take apart");
  }
  return llvm::Error::success();
}

/// The argument through which threads hand over their parts.
KernelArgument Outliner::describeResult(const Capture &C) {
  KernelArgument Whole = C.Variable->Argument;
  Whole.ElementBytes = Whole.Bytes;
  Whole.Kind = KernelArgument::Pointer;
  Whole.Bytes = 8;
  Whole.Const = false;
  if (C.Operator.atomic(Shape.Sm)) {
    Result.ResultBytes[Whole.Name] = Whole.ElementBytes;
    return Whole;
  }
  KernelArgument Parts = Whole;
  Parts.Name += "_partials";
  Result.Partials.push_back({C.Operator, Parts, Whole});
  return Parts;
}

llvm::Function *makeFinalKernel(llvm::Module &M,
                                llvm::ArrayRef<PartialResults> Partials,
                                const llvm::DebugLoc &At,
                                KernelSource &Source) {
  llvm::LLVMContext &Context = M.getContext();
  llvm::Type *Pointer = llvm::PointerType::get(Context, 0);
  llvm::SmallVector<llvm::Type *> Types(2 * Partials.size(), Pointer);
  Types.push_back(llvm::Type::getInt32Ty(Context));
  auto *Kernel = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(Context), Types, false),
      llvm::GlobalValue::ExternalLinkage, Source.Mangled, M);
  Source.Mangled = Kernel->getName().str();
  Kernel->setCallingConv(llvm::CallingConv::PTX_Kernel);
  for (const PartialResults &P : Partials) {
    Source.Arguments.push_back(P.Array);
    Source.Arguments.push_back(P.Variable);
  }
  KernelArgument Count;
  Count.Name = "blocks";
  Source.Arguments.push_back(Count);
  for (size_t I = 0; I < Source.Arguments.size(); ++I)
    Kernel->getArg(I)->setName(Source.Arguments[I].Name);

  auto block = [&](const char *Name) {
    return llvm::BasicBlock::Create(Context, Name, Kernel);
  };
  llvm::BasicBlock *Entry = block("entry"), *Head = block("head"),
                   *Body = block("body"), *End = block("end");
  llvm::IRBuilder<> Builder(Entry);
  Builder.SetCurrentDebugLocation(At);
  ThreadPlace Thread(Builder);
  std::vector<ThreadResult> Results;
  for (size_t I = 0; I < Partials.size(); ++I) {
    const CombineOperator &Operator = Partials[I].Operator;
    llvm::Value *Own = Builder.CreateAlloca(Operator.Type);
    Builder.CreateStore(Operator.identity(), Own);
    Results.push_back(
        {Operator, Own, Kernel->getArg(2 * I + 1), ThreadResult::Direct});
  }
  Builder.CreateBr(Head);
  Builder.SetInsertPoint(Head);
  llvm::PHINode *Index = Builder.CreatePHI(Builder.getInt32Ty(), 2, "index");
  llvm::Value *Last = Kernel->getArg(2 * Partials.size());
  Builder.CreateCondBr(Builder.CreateICmpSLT(Index, Last), Body, End);
  Builder.SetInsertPoint(Body);
  for (size_t I = 0; I < Partials.size(); ++I) {
    const CombineOperator &Operator = Partials[I].Operator;
    llvm::Value *Part = Builder.CreateLoad(
        Operator.Type, Builder.CreateInBoundsGEP(
                           Operator.Type, Kernel->getArg(2 * I),
                           Builder.CreateZExt(Index, Builder.getInt64Ty())));
    llvm::Value *Own = Builder.CreateLoad(Operator.Type, Results[I].Own);
    Builder.CreateStore(Operator.apply(Builder, Own, Part), Results[I].Own);
  }
  llvm::Value *Next = Builder.CreateNSWAdd(Index, Thread.Threads);
  Builder.CreateBr(Head);
  Index->addIncoming(Thread.Index, Entry);
  Index->addIncoming(Next, Body);
  Builder.SetInsertPoint(End);
  Builder.CreateRetVoid();
  combineThreads(*Kernel, Results, At);
  return Kernel;
}

} // namespace gpuestimate
