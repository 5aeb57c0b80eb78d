/// \file
/// The Language Server Protocol 3.17, beside clangd: predictions of the kernels
/// that an editor has open.
#ifndef GPU_ESTIMATE_LIB_SERVE_LANGUAGESERVER_H
#define GPU_ESTIMATE_LIB_SERVE_LANGUAGESERVER_H

#include "EditorAnswers.h"
#include "EditorClient.h"
#include "EditorSettings.h"
#include "RunningRequests.h"
#include "llvm/ADT/StringMap.h"
#include <condition_variable>
#include <mutex>
#include <thread>

namespace gpuestimate {

/// One thread analyses the documents that have changed; an analysis of a text
/// that is not the newest any more is cancelled. Requests that need an analysis
/// of their own run side by side in other threads.
class LanguageServer {
public:
  /// Send writes one message, from one thread at a time.
  LanguageServer(Options Defaults, EditorClient::Sender Send);
  ~LanguageServer();

  /// Takes one message of the client. False: the client asked for the end.
  bool take(const llvm::json::Value &Message);
  /// After the last message: shutdown came before exit.
  bool endedInOrder() const { return ShutDown; }

private:
  struct OpenDocument {
    Document Now;
    bool IsChanged = true; ///< since its analysis began
    CancelFlag Running;    ///< of the analysis that has begun; may be null
    std::shared_ptr<const AnalysedDocument> Last;

    void change() {
      IsChanged = true;
      if (Running)
        *Running = true;
    }
  };

  /// Nothing where there is no such method.
  std::optional<llvm::Expected<llvm::json::Value>>
  answer(llvm::StringRef Method, const llvm::json::Object &Parameters);
  void notify(llvm::StringRef Method, const llvm::json::Object &Parameters);
  llvm::json::Value initialize(const llvm::json::Object &Parameters);
  /// The work of a request that takes a while; empty for other methods.
  RunningRequests::Work slowAnswer(llvm::StringRef Method,
                                   const llvm::json::Object &Parameters);
  llvm::Expected<llvm::json::Value>
  executeCommand(const llvm::json::Object &Parameters);
  llvm::Expected<llvm::json::Value>
  compareGpus(const llvm::json::Object &Parameters, CancelFlag Cancelled);
  llvm::Expected<llvm::json::Value>
  showReport(const llvm::json::Object &Parameters, CancelFlag Cancelled);
  llvm::Expected<llvm::json::Value>
  codeAction(const llvm::json::Object &Parameters, CancelFlag Cancelled);

  void configurationChanged(const llvm::json::Object &Parameters);
  llvm::Error change(llvm::function_ref<llvm::Error(EditorSettings &)> By);
  std::shared_ptr<const AnalysedDocument>
  lastOf(const llvm::json::Object &Parameters);
  /// The document whose URI is the first argument of a command, and the
  /// settings. An error where it is not open.
  llvm::Expected<std::pair<Document, EditorSettings>>
  documentOfCommand(const llvm::json::Object &Parameters);
  /// Nothing where the document is not open.
  std::optional<std::pair<Document, EditorSettings>>
  documentOf(llvm::StringRef Uri);
  /// Analyses one version of a document. An error where it does not compile, as
  /// between two key presses. Format: what the result is for (Html: charts).
  llvm::Expected<SharedAnalysis>
  analyse(const EditorSettings &By, llvm::StringRef Path,
          const std::string &Text, CancelFlag Cancelled,
          OutputFormat Format = OutputFormat::Json);
  std::shared_ptr<const AnalysedDocument>
  analysed(const EditorSettings &By, Document Source, CancelFlag Cancelled);

  void analyseChanged(); ///< the thread
  void publish(llvm::StringRef Uri, int64_t Version,
               llvm::json::Array Diagnostics, bool HasNewResult);

  EditorClient Client;
  AnalysisMemory Memory;
  PositionUnit Unit = PositionUnit::Utf16;
  /// What the client can.
  bool RefreshesHints = false, RefreshesLenses = false, IsAsked = false;

  std::mutex Lock; // of what follows
  std::condition_variable Changed;
  EditorSettings Settings;
  llvm::StringMap<OpenDocument> Documents; ///< by URI
  bool Stopping = false, ShutDown = false;

  RunningRequests Requests;
  std::thread Worker;
};

} // namespace gpuestimate

#endif
