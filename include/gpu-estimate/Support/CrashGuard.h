/// \file
/// Guards the process against crashes of the analysis.
#ifndef GPU_ESTIMATE_SUPPORT_CRASHGUARD_H
#define GPU_ESTIMATE_SUPPORT_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

/// Runs Work on this thread; false if it crashed (a signal such as SIGSEGV,
/// llvm::report_fatal_error, abort). Memory of the crashed part is lost, and
/// locks that it held stay locked.
///
/// The signal handlers run on a stack of their own, so that a recursion which
/// overflows the thread's stack is survived too; llvm::CrashRecoveryContext
/// alone does not survive it. They stay installed for the rest of the process.
bool runGuarded(llvm::function_ref<void()> Work);

} // namespace gpuestimate

#endif
