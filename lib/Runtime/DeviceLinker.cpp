#include "DeviceLinker.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

/// A function whose body has not been read is defined, too.
static bool isDefined(const GlobalValue &G) {
  return !G.isDeclaration() || G.isMaterializable();
}

static bool isIntrinsic(const GlobalValue &G) {
  return G.getName().starts_with("llvm.");
}

Expected<std::vector<std::vector<size_t>>>
findLinkedUnits(ArrayRef<StringRef> Bitcode) {
  StringMap<size_t> Defined;
  std::vector<std::vector<std::string>> Needed(Bitcode.size());
  for (auto [I, Unit] : enumerate(Bitcode)) {
    if (Unit.empty())
      continue;
    LLVMContext Context;
    auto M = getLazyBitcodeModule(MemoryBufferRef(Unit, "device code"), Context,
                                  /*ShouldLazyLoadMetadata=*/true);
    if (!M)
      return M.takeError();
    for (const GlobalValue &G : (*M)->global_values()) {
      if (G.hasLocalLinkage() || isIntrinsic(G))
        continue;
      if (isDefined(G))
        Defined.try_emplace(G.getName(), I);
      else if (!G.hasExternalWeakLinkage()) // threadIdx
        Needed[I].push_back(G.getName().str());
    }
  }
  EquivalenceClasses<size_t> Groups;
  for (auto [I, Names] : enumerate(Needed))
    for (const std::string &Name : Names)
      if (auto By = Defined.find(Name); By != Defined.end())
        Groups.unionSets(I, By->second);
  std::vector<std::vector<size_t>> Result;
  for (auto Leader = Groups.begin(); Leader != Groups.end(); ++Leader) {
    if (!Leader->isLeader())
      continue;
    std::vector<size_t> &Members =
        Result.emplace_back(Groups.member_begin(Leader), Groups.member_end());
    llvm::sort(Members);
  }
  return Result;
}

Expected<std::string> linkDeviceCode(ArrayRef<StringRef> Bitcode) {
  LLVMContext Context;
  // Without a handler, LLVM ends the process of the program.
  std::string Problem;
  Context.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *Of, void *To) {
        if (Of->getSeverity() != DS_Error)
          return;
        raw_string_ostream OS(*static_cast<std::string *>(To));
        DiagnosticPrinterRawOStream Printer(OS);
        Of->print(Printer);
      },
      &Problem);
  Module All("device code", Context);
  Linker Link(All);
  for (StringRef Unit : Bitcode) {
    auto M = parseBitcodeFile(MemoryBufferRef(Unit, "device code"), Context);
    if (!M)
      return M.takeError();
    if (All.getTargetTriple().empty()) {
      All.setTargetTriple((*M)->getTargetTriple());
      All.setDataLayout((*M)->getDataLayout());
    }
    if (Link.linkInModule(std::move(*M)))
      return createStringError("the device code of the program cannot be "
                               "linked: " +
                               Problem);
  }
  std::string Result;
  raw_string_ostream OS(Result);
  WriteBitcodeToFile(All, OS);
  return Result;
}

} // namespace gpuestimate
