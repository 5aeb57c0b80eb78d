/// \file
/// A KernelModel as text, for the messages of failing tests.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_DUMPKERNEL_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_DUMPKERNEL_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include <string>

namespace gpuestimate::test {

/// The loop tree with its operations and accesses, one line each.
std::string dump(const KernelModel &Model);

} // namespace gpuestimate::test

#endif
