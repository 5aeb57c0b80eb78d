/// \file
/// A progress line that overwrites itself on a terminal; nothing in a log.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_PROGRESSLINE_H
#define GPU_ESTIMATE_SESSION_PIPELINE_PROGRESSLINE_H

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <mutex>

namespace gpuestimate {

class ProgressLine {
public:
  explicit ProgressLine(llvm::raw_ostream &Err) : Err(Err) {}
  /// Sets the total of the counts; before the first advance().
  void setTotal(size_t Count) { Total = Count; }

  /// Adds Count finished items, the last of them What. From any thread.
  void advance(size_t Count, const llvm::Twine &What) {
    std::lock_guard Guard(Lock);
    Finished += Count;
    if (!OnTerminal || Finished == 0)
      return;
    std::chrono::duration<double> Spent =
        std::chrono::steady_clock::now() - Start;
    auto Left = static_cast<unsigned>(Spent.count() / Finished *
                                      (Total - std::min(Total, Finished)));
    Err << "\r\033[K[" << Finished << '/' << Total << "] " << Left / 60 << ':'
        << llvm::format_decimal(Left % 60, 2) << " left  " << What;
    if (Finished >= Total)
      Err << "\r\033[K";
    Err.flush();
  }

private:
  llvm::raw_ostream &Err;
  std::mutex Lock;
  size_t Total = 0, Finished = 0;
  std::chrono::steady_clock::time_point Start =
      std::chrono::steady_clock::now();
  bool OnTerminal = llvm::sys::Process::StandardErrIsDisplayed();
};

} // namespace gpuestimate

#endif
