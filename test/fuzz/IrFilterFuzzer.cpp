/// \file
/// libFuzzer on the filter of LLVM IR: any bytes keep their number of lines,
/// and the lines of instructions lie in the text. LLVM's parser behind the
/// filter is not fuzzed; a crash of it is caught. Run by scripts/fuzz.
#include "ForeignIr/IrFilter.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

using namespace gpuestimate;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Text(reinterpret_cast<const char *>(Data), Size);
  FilteredIr Once = filterIr(Text);
  size_t Lines = Text.count('\n');
  if (llvm::StringRef(Once.Text).count('\n') != Lines)
    std::abort();
  for (const auto &Function : Once.Functions) {
    const std::vector<unsigned> &Each = Function.second.Instructions;
    if (!llvm::is_sorted(Each) || (!Each.empty() && Each.back() > Lines + 1))
      std::abort();
  }
  return 0;
}
