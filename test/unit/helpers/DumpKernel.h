/// \file
/// A KernelModel as text, for the messages of failing tests.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_DUMPKERNEL_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_DUMPKERNEL_H

#include "gpu-estimate/Model/Kernel/PrintKernel.h"
#include <string>

namespace gpuestimate::test {

/// The loop tree with its operations and accesses, one line each.
inline std::string dump(const KernelModel &Model) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(OS, Model);
  return Text;
}

} // namespace gpuestimate::test

#endif
