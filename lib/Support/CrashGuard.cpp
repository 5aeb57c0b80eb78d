#include "gpu-estimate/Support/CrashGuard.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include <csignal>
#include <cstdlib>

namespace gpuestimate {

namespace {

/// Memory for the signal handlers of one thread, unless it has some already.
class HandlerStack {
public:
  HandlerStack() {
    stack_t Present{};
    if (sigaltstack(nullptr, &Present) != 0 || !(Present.ss_flags & SS_DISABLE))
      return;
    Memory = std::malloc(Size);
    stack_t Own{};
    Own.ss_sp = Memory;
    Own.ss_size = Size;
    if (Memory && sigaltstack(&Own, nullptr) != 0) {
      std::free(Memory);
      Memory = nullptr;
    }
  }
  ~HandlerStack() {
    if (!Memory)
      return;
    stack_t None{};
    None.ss_flags = SS_DISABLE;
    sigaltstack(&None, nullptr);
    std::free(Memory);
  }
  HandlerStack(const HandlerStack &) = delete;
  HandlerStack &operator=(const HandlerStack &) = delete;

private:
  static constexpr size_t Size = 64 * 1024;
  void *Memory = nullptr;
};

/// Installs LLVM's recovery handlers and moves them to the handler stack.
bool installHandlers() {
  llvm::CrashRecoveryContext::Enable();
  for (int Signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP}) {
    struct sigaction Action{};
    if (sigaction(Signal, nullptr, &Action) != 0)
      continue;
    Action.sa_flags |= SA_ONSTACK;
    sigaction(Signal, &Action, nullptr);
  }
  return true;
}

} // namespace

bool runGuarded(llvm::function_ref<void()> Work) {
  static const bool Installed = installHandlers();
  (void)Installed;
  thread_local HandlerStack Stack;
  (void)Stack;
  llvm::CrashRecoveryContext Recovery;
  return Recovery.RunSafely(Work);
}

} // namespace gpuestimate
