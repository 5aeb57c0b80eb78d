/// \file
/// libFuzzer on the reader of PTX: any bytes give a module that LLVM's verifier
/// accepts, or an error that begins with the file's name and a line. The same
/// bytes are the text of inline assembly in a kernel, which is translated, or
/// stays as it is, for an estimate and for execution. Run by scripts/fuzz.
#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace gpuestimate;

namespace {

/// `asm volatile(Text : "=r"(a), "=f"(f), "=l"(l) : "r"(x), "l"(p), "f"(y))` of
/// a kernel, whose results are stored.
std::unique_ptr<llvm::Module> moduleWithAssembly(llvm::LLVMContext &Context,
                                                 llvm::StringRef Text) {
  auto M = std::make_unique<llvm::Module>("fuzz", Context);
  M->setTargetTriple("nvptx64-nvidia-cuda");
  llvm::IRBuilder<> B(Context);
  llvm::Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty(),
             *Float = B.getFloatTy(), *Pointer = B.getPtrTy();
  auto *Kernel = llvm::Function::Create(
      llvm::FunctionType::get(B.getVoidTy(), {I32, Pointer, Float}, false),
      llvm::GlobalValue::ExternalLinkage, "kernel", *M);
  B.SetInsertPoint(llvm::BasicBlock::Create(Context, "entry", Kernel));
  auto *Results = llvm::StructType::get(I32, Float, I64);
  auto *Type = llvm::FunctionType::get(Results, {I32, Pointer, Float},
                                       /*isVarArg=*/false);
  llvm::Value *Call =
      B.CreateCall(llvm::InlineAsm::get(Type, Text, "=r,=f,=l,r,l,f,~{memory}",
                                        /*hasSideEffects=*/true),
                   {Kernel->getArg(0), Kernel->getArg(1), Kernel->getArg(2)});
  for (unsigned N = 0; N < 3; ++N)
    B.CreateStore(B.CreateExtractValue(Call, N), Kernel->getArg(1));
  B.CreateRetVoid();
  return M;
}

void translateAsAssembly(llvm::StringRef Text, AssemblyUse Use) {
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M = moduleWithAssembly(Context, Text);
  translateInlineAssembly(*M, Use);
  if (llvm::verifyModule(*M, &llvm::errs()))
    std::abort();
  recoverAssemblyPointers(*M);
  removeAssemblyFences(*M);
  if (llvm::verifyModule(*M, &llvm::errs()))
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Text(reinterpret_cast<const char *>(Data), Size);
  for (AssemblyUse Use : {AssemblyUse::Estimate, AssemblyUse::Execution})
    translateAsAssembly(Text, Use);
  llvm::Expected<PtxUnit> Unit = readPtx(Text, "fuzz.ptx", "sm_90a");
  if (!Unit) {
    std::string Message = llvm::toString(Unit.takeError());
    llvm::StringRef Place = Message;
    if (!Place.consume_front("fuzz.ptx:") || Place.empty() ||
        !llvm::isDigit(Place.front())) {
      llvm::errs() << Message << "\n";
      std::abort();
    }
    return 0;
  }
  if (llvm::verifyModule(*Unit->Module, &llvm::errs()))
    std::abort();
  return 0;
}
