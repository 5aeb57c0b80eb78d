/// \file
/// Finds the handler of an instruction.
#ifndef GPU_ESTIMATE_LIB_EMULATE_DISPATCH_H
#define GPU_ESTIMATE_LIB_EMULATE_DISPATCH_H

#include "Program.h"

namespace gpuestimate {

/// The handler of an instruction that is neither a call nor a terminator.
InstructionHandler findInstructionHandler(const llvm::Instruction &I);

/// Sets the handler of the call D and its parameters. An unknown call gets a
/// handler that stops the emulation when the call is reached.
void findCallHandler(const llvm::CallBase &Call, Decoded &D);

/// Does the call D make a memory request?
bool isAccessCall(const Decoded &D);

} // namespace gpuestimate

#endif
