/// \file
/// Requests of an editor that take a while: they run side by side, and the
/// client can cancel them.
#ifndef GPU_ESTIMATE_LIB_SERVE_RUNNINGREQUESTS_H
#define GPU_ESTIMATE_LIB_SERVE_RUNNINGREQUESTS_H

#include "EditorClient.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

namespace gpuestimate {

using CancelFlag = std::shared_ptr<std::atomic<bool>>;

/// The answer to a request, with its id.
llvm::json::Object answerMessage(const llvm::json::Value &Id,
                                 llvm::Expected<llvm::json::Value> Result);

/// The answer to a request whose method does not exist.
llvm::json::Object unknownMethodMessage(const llvm::json::Value &Id,
                                        llvm::StringRef Method);

class RunningRequests {
public:
  using Work = std::function<llvm::Expected<llvm::json::Value>(CancelFlag)>;

  explicit RunningRequests(EditorClient &Client)
      : Client(Client), Pool(llvm::hardware_concurrency()) {}
  /// Cancels all and waits for their end.
  ~RunningRequests();

  /// Runs Answer in another thread and sends what it returns, or that the
  /// request was cancelled.
  void start(llvm::json::Value Id, Work Answer);
  /// Sets the flag of a request; unknown ids, and requests that are answered
  /// already, are no error.
  void cancel(const llvm::json::Value &Id);

private:
  EditorClient &Client;
  std::mutex Lock;                   // of what follows
  llvm::StringMap<CancelFlag> Flags; ///< by the id as text
  llvm::DefaultThreadPool Pool;
};

} // namespace gpuestimate

#endif
