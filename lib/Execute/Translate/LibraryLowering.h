/// \file
/// Functions of NVIDIA's device library as operations of LLVM, which have a
/// vector form and are optimised, where a call of the host has neither.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_TRANSLATE_LIBRARYLOWERING_H
#define GPU_ESTIMATE_LIB_EXECUTE_TRANSLATE_LIBRARYLOWERING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace gpuestimate {

/// The result of the function; Name is without "__nv_", T its type. Null for
/// one that the host's function of the same name computes
/// (DeviceFunctions.cpp).
llvm::Value *lowerDeviceLibrary(llvm::StringRef Name,
                                llvm::ArrayRef<llvm::Value *> Arguments,
                                llvm::Type *T, llvm::IRBuilderBase &B);

} // namespace gpuestimate

#endif
