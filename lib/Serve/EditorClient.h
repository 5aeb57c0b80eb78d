/// \file
/// The editor at the other end of the Language Server Protocol: what the server
/// sends to it on its own.
#ifndef GPU_ESTIMATE_LIB_SERVE_EDITORCLIENT_H
#define GPU_ESTIMATE_LIB_SERVE_EDITORCLIENT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <map>
#include <mutex>
#include <optional>

namespace gpuestimate {

/// Any number of threads may send.
class EditorClient {
public:
  using Sender = std::function<void(const llvm::json::Value &)>;
  /// What to do with the result of a request to the client.
  using Receiver = std::function<void(const llvm::json::Value &)>;

  /// Send writes one message, from one thread at a time.
  explicit EditorClient(Sender Send) : Send(std::move(Send)) {}

  void send(llvm::json::Value Message);
  void notify(llvm::StringRef Method, llvm::json::Object Parameters);
  /// Receive may be empty.
  void request(llvm::StringRef Method, llvm::json::Object Parameters = {},
               Receiver Receive = {});
  /// Takes the client's answer to a request; errors are dropped.
  void takeAnswer(const llvm::json::Object &Answer);
  /// Shows an error to the user.
  void complain(llvm::Error E);

private:
  Sender Send;
  std::mutex OutLock;
  std::mutex Lock; // of what follows
  int64_t NextRequest = 1;
  std::map<int64_t, Receiver> Receivers;
};

/// Tells the client how far a request is, where the request has a token for it
/// (its workDoneToken). The end is told when the object goes.
class WorkProgress {
public:
  WorkProgress(EditorClient &Client, const llvm::json::Object &Parameters,
               llvm::StringRef Title);
  ~WorkProgress();
  WorkProgress(const WorkProgress &) = delete;
  WorkProgress &operator=(const WorkProgress &) = delete;

  void report(size_t Done, size_t Of, llvm::StringRef Message);

private:
  void tell(llvm::json::Object Value);

  EditorClient &Client;
  std::optional<llvm::json::Value> Token;
};

} // namespace gpuestimate

#endif
