/// \file
/// Links device code across translation units, as nvlink does for a program
/// that is built with -rdc=true.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_DEVICELINKER_H
#define GPU_ESTIMATE_LIB_RUNTIME_DEVICELINKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// Units that need each other: indices in ascending order, of those that name a
/// function or variable of another unit and of those that define it. Units
/// without such a need are in no group. Where several units define a symbol,
/// the first one does. An empty unit is skipped.
llvm::Expected<std::vector<std::vector<size_t>>>
findLinkedUnits(llvm::ArrayRef<llvm::StringRef> Bitcode);

/// One module of several.
llvm::Expected<std::string>
linkDeviceCode(llvm::ArrayRef<llvm::StringRef> Bitcode);

} // namespace gpuestimate

#endif
