/// \file
/// What `cuobjdump -ptx` (or `-all`) writes of a program: the PTX of each of
/// its modules and architectures, with a header before each.
#ifndef GPU_ESTIMATE_LIB_PTX_FATBINDUMP_H
#define GPU_ESTIMATE_LIB_PTX_FATBINDUMP_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// The PTX of one module in a dump.
struct DumpedPtx {
  llvm::StringRef Text;    ///< in the dump
  unsigned FirstLine = 1;  ///< of Text, in the dump
  unsigned Capability = 0; ///< 80 for "arch = sm_80"; 0: not said
};

/// Is Text such a dump, and not PTX itself?
bool isFatbinDump(llvm::StringRef Text);

/// The modules of a dump. Those that a GPU of compute capability Capability can
/// run come first, the newest architecture at the front, then the others, the
/// oldest at the front; modules of one architecture keep their order.
std::vector<DumpedPtx> dumpedPtx(llvm::StringRef Dump, unsigned Capability);

} // namespace gpuestimate

#endif
