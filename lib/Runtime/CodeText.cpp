#include "CodeText.h"

#include "gpu-estimate/ForeignIr/ReadIr.h"
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

using namespace llvm;

/// Text of LLVM IR begins with comments and the name of its module.
static bool isIrText(StringRef Text) {
  for (StringRef Line : split(Text, '\n'))
    if (Line = Line.trim();
        Line.starts_with("source_filename") || Line.starts_with("target "))
      return true;
    else if (!Line.empty() && !Line.starts_with(";"))
      return false;
  return false;
}

bool isCodeText(StringRef Image) { return isPtxText(Image) || isIrText(Image); }

static std::string bitcodeOf(const Module &M) {
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS);
  return Bitcode;
}

Expected<std::string> translateToBitcode(StringRef Text,
                                         const DeviceFacts &For) {
  if (isPtxText(Text)) {
    Expected<PtxUnit> Unit = readPtx(Text, "module.ptx", For.Arch);
    if (!Unit)
      return Unit.takeError();
    return bitcodeOf(*Unit->Module);
  }
  std::string Whole = Text.str(); // LLVM's parser reads the zero behind it
  Expected<IrUnit> Unit =
      readIr(MemoryBufferRef(Whole, "module.ll"), {For.Arch, For.Arch});
  if (!Unit)
    return Unit.takeError();
  return bitcodeOf(*Unit->Module);
}

} // namespace gpuestimate
