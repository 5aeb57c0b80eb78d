/// \file
/// libFuzzer on the reader of PTX: any bytes give a module that LLVM's verifier
/// accepts, or an error that begins with the file's name and a line. Run by
/// scripts/fuzz.
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace gpuestimate;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Text(reinterpret_cast<const char *>(Data), Size);
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
