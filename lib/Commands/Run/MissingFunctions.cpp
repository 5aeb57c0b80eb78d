#include "MissingFunctions.h"

#include "gpu-estimate/Run/GpuLibraries.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Host.h"
#include <set>

using namespace llvm;

namespace gpuestimate {

std::vector<std::string> missingFunctions(StringRef LinkerMessages) {
  // "undefined reference to `f'", "undefined symbol: f", "undefined symbol f"
  constexpr StringLiteral Marks[] = {
      "undefined reference to", "undefined symbol", "undefined references to"};
  std::set<std::string> Found;
  for (StringRef Line : split(LinkerMessages, '\n')) {
    for (StringRef Mark : Marks) {
      size_t Place = Line.find(Mark);
      if (Place == StringRef::npos)
        continue;
      StringRef Name = Line.substr(Place + Mark.size())
                           .ltrim(": `'\"")
                           .take_while([](char C) {
                             return isAlnum(C) || C == '_' || C == '$';
                           });
      if (gpuLibraryOf(Name))
        Found.insert(Name.str());
    }
  }
  return {Found.begin(), Found.end()};
}

void writeMissingFunctions(ArrayRef<std::string> Functions, raw_ostream &OS) {
  LLVMContext Context;
  Module M("missing functions", Context);
  M.setTargetTriple(sys::getDefaultTargetTriple());
  IRBuilder<> B(Context);
  // A caller takes as much of the result as its declaration says.
  FunctionCallee Missing = M.getOrInsertFunction(
      "gpu_estimate_missing_function", B.getInt64Ty(), B.getPtrTy());
  for (const std::string &Name : Functions) {
    auto *F = Function::Create(FunctionType::get(B.getInt64Ty(), false),
                               GlobalValue::ExternalLinkage, Name, M);
    B.SetInsertPoint(llvm::BasicBlock::Create(Context, "", F));
    B.CreateRet(
        B.CreateCall(Missing, {B.CreateGlobalString(unmangledName(Name))}));
  }
  WriteBitcodeToFile(M, OS);
}

} // namespace gpuestimate
