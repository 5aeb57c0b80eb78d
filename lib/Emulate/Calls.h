/// \file
/// Which handler executes a call.
#ifndef GPU_ESTIMATE_LIB_EMULATE_CALLS_H
#define GPU_ESTIMATE_LIB_EMULATE_CALLS_H

#include "Program.h"

namespace gpuestimate {

/// Fills the handler of D and its parameters. What is not known gets one that
/// stops the emulation when the call is reached.
void findCallHandler(const llvm::CallBase &Call, Decoded &D);

/// Of mathematical and of integer functions, in CallsReal.cpp and
/// CallsInteger.cpp; false where there is none.
bool findRealFunction(llvm::StringRef Name, Decoded &D);
bool findIntegerFunction(llvm::StringRef Name, Decoded &D);

/// The handler makes a request to memory.
bool isAccessCall(const Decoded &D);

} // namespace gpuestimate

#endif
