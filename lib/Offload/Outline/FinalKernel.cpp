#include "FinalKernel.h"

#include "llvm/IR/Module.h"

namespace gpuestimate {

llvm::Function *makeFinalKernel(llvm::Module &M,
                                llvm::ArrayRef<PartialResults> Partials,
                                const llvm::DebugLoc &Location,
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
  Builder.SetCurrentDebugLocation(Location);
  ThreadIndices Thread(Builder);
  std::vector<ThreadReduction> Results;
  for (size_t I = 0; I < Partials.size(); ++I) {
    const AssociativeOperator &Operator = Partials[I].Operator;
    llvm::Value *Own = Builder.CreateAlloca(Operator.Type);
    Builder.CreateStore(Operator.identity(), Own);
    Results.push_back(
        {Operator, Own, Kernel->getArg(2 * I + 1), ThreadReduction::Direct});
  }
  Builder.CreateBr(Head);
  Builder.SetInsertPoint(Head);
  llvm::PHINode *Index = Builder.CreatePHI(Builder.getInt32Ty(), 2, "index");
  llvm::Value *Last = Kernel->getArg(2 * Partials.size());
  Builder.CreateCondBr(Builder.CreateICmpSLT(Index, Last), Body, End);
  Builder.SetInsertPoint(Body);
  for (size_t I = 0; I < Partials.size(); ++I) {
    const AssociativeOperator &Operator = Partials[I].Operator;
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
  reduceThreads(*Kernel, Results, Location);
  return Kernel;
}

} // namespace gpuestimate
