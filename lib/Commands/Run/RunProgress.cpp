#include "RunProgress.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

/// Clears from the cursor to the end of the line (ECMA-48, EL).
static constexpr StringLiteral ClearLine = "\033[K";

RunProgress::RunProgress(double BudgetSeconds) : BudgetSeconds(BudgetSeconds) {
  if (sys::Process::StandardErrIsDisplayed())
    Writer = std::thread([this] { show(); });
}

RunProgress::~RunProgress() {
  if (!Writer.joinable())
    return;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Ended = true;
  }
  Changed.notify_all();
  Writer.join();
}

void RunProgress::show() {
  using namespace std::chrono;
  constexpr auto Silent = 2s;
  constexpr auto Interval = 500ms;
  std::unique_lock<std::mutex> Guard(Lock);
  auto HasEnded = [this] { return Ended; };
  if (Changed.wait_for(Guard, Silent, HasEnded))
    return;
  do {
    double Seconds = duration<double>(steady_clock::now() - Start).count();
    errs() << "gpu-estimate: running for " << format("%.0f", Seconds) << " s, "
           << Launches.load() << " launches; kernels execute for at most "
           << format("%g", BudgetSeconds) << " s" << ClearLine << '\r';
  } while (!Changed.wait_for(Guard, Interval, HasEnded));
  errs() << ClearLine;
}

} // namespace gpuestimate
