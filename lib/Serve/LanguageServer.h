/// \file
/// The Language Server Protocol 3.17, beside clangd: predictions of the kernels
/// that an editor has open.
#ifndef GPU_ESTIMATE_LIB_SERVE_LANGUAGESERVER_H
#define GPU_ESTIMATE_LIB_SERVE_LANGUAGESERVER_H

#include "EditorAnswers.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace gpuestimate {

class LanguageServer {
public:
  /// Send writes one message, from one thread at a time.
  LanguageServer(Options Defaults,
                 std::function<void(const llvm::json::Value &)> Send);
  ~LanguageServer();

  /// Takes one message of the client. False: the client asked for the end.
  bool take(const llvm::json::Value &Message);
  /// After the last message: shutdown came before exit.
  bool endedInOrder() const { return ShutDown; }

private:
  struct OpenDocument {
    Document Now;
    bool IsChanged = true; ///< since its analysis began
    std::shared_ptr<const AnalysedDocument> Last;
  };

  llvm::Expected<llvm::json::Value>
  answer(llvm::StringRef Method, const llvm::json::Object &Parameters);
  void notify(llvm::StringRef Method, const llvm::json::Object &Parameters);
  llvm::json::Value initialize(const llvm::json::Object &Parameters);
  llvm::Expected<llvm::json::Value>
  execute(const llvm::json::Object &Parameters);
  llvm::Error configure(const llvm::json::Object &Settings);
  void send(llvm::json::Value Message);
  /// A request to the client whose answer does not matter.
  void request(llvm::StringRef Method);

  void analyseChanged(); ///< the thread
  void notifyClient(llvm::StringRef Method, llvm::json::Object Parameters);
  void complain(llvm::Error E); ///< to the user

  std::function<void(const llvm::json::Value &)> Send;
  PositionUnit Unit = PositionUnit::Utf16;
  bool RefreshesHints = false, RefreshesLenses = false; ///< the client can

  std::mutex Lock; // of what follows
  std::condition_variable Changed;
  Options Settings;
  llvm::StringMap<OpenDocument> Documents; ///< by URI
  bool Stopping = false, ShutDown = false;
  int64_t NextRequest = 1;

  std::mutex OutLock;
  std::thread Worker;
};

} // namespace gpuestimate

#endif
