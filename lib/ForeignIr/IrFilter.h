/// \file
/// Makes the text of LLVM IR of other versions readable by LLVM 19. The reader
/// of LLVM itself upgrades what is older, but for typed pointers (up to LLVM
/// 14), and refuses what is newer. The filter rewrites
///
///   i32 addrspace(1)*                   -> ptr addrspace(1)
///   i32* byval                          -> ptr byval(i32)
///   captures(none), captures(...)       -> nocapture, nothing
///   memory(errnomem: write)             -> memory(inaccessiblemem: write)
///   dead_on_return and the like         -> nothing
///   unknown words of `attributes #0`    -> nothing
///   icmp samesign, fpext fast           -> icmp, fpext
///   ptrtoaddr                           -> ptrtoint
///   new kinds, fields and operations of debug information
///
/// None of these changes what the code does. No line is added or removed, so
/// that errors of LLVM's reader name lines of the file.
///
/// Sources: release notes and language references of LLVM 15 to 22.
#ifndef GPU_ESTIMATE_LIB_FOREIGNIR_IRFILTER_H
#define GPU_ESTIMATE_LIB_FOREIGNIR_IRFILTER_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// Lines of a function definition in the file.
struct IrFunctionLines {
  unsigned Line = 0;                  ///< of `define`
  std::vector<unsigned> Instructions; ///< one each, without debug records
};

struct FilteredIr {
  std::string Text;
  llvm::StringMap<IrFunctionLines> Functions; ///< by name, without '@'
};

/// Rewrites any bytes; what it does not know stays as it is.
FilteredIr filterIr(llvm::StringRef Text);

} // namespace gpuestimate

#endif
