/// \file
/// Reading of exceptions.txt.
#include "Exceptions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"

namespace gpuestimate::test {

llvm::StringMap<double> readExceptions() {
  llvm::StringMap<double> Out;
  auto File = llvm::MemoryBuffer::getFile(std::string(GPU_ESTIMATE_SOURCE_DIR) +
                                          "/test/oracle/exceptions.txt");
  if (!File)
    return Out;
  llvm::SmallVector<llvm::StringRef> Lines;
  (*File)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef Line : Lines) {
    auto [Key, Points] = Line.split('#').first.trim().rsplit(' ');
    double Limit = 0;
    if (!Key.empty() && !Points.getAsDouble(Limit))
      Out[Key.trim()] = Limit;
  }
  return Out;
}

} // namespace gpuestimate::test
