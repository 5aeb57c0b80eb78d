#include "gpu-estimate/Serve/Serve.h"

#include "LanguageServer.h"
#include "Protocols.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "llvm/Support/ThreadPool.h"
#include <condition_variable>
#include <cstdio>
#include <mutex>

using namespace llvm;

namespace gpuestimate {

/// A client that asks faster than answers come waits at this many requests for
/// each processor.
static constexpr unsigned MaxWaitingPerProcessor = 4;
/// The longest line; a source of this size is a mistake.
static constexpr size_t MaxLineBytes = size_t(64) << 20;

/// Reads a line without its end; false at the end of the input. A line of more
/// than MaxLineBytes is cut there.
static bool readLine(std::string &Line) {
  Line.clear();
  int C;
  while ((C = ::getc_unlocked(stdin)) != EOF && C != '\n')
    if (Line.size() <= MaxLineBytes)
      Line.push_back(char(C));
  return C != EOF || !Line.empty();
}

/// Answers each line of standard input; answers of slow requests come later.
static ExitStatus
serveLines(function_ref<std::optional<json::Value>(StringRef)> Answer,
           raw_ostream &Out, raw_ostream &Err) {
  DefaultThreadPool Pool(hardware_concurrency());
  const unsigned MaxWaiting = Pool.getMaxConcurrency() * MaxWaitingPerProcessor;
  std::mutex Lock; // of Out and Waiting
  std::condition_variable Answered;
  unsigned Waiting = 0;

  std::string Line;
  while (readLine(Line)) {
    if (Line.size() > MaxLineBytes) {
      Err << "gpu-estimate: error: a request has more than " << MaxLineBytes
          << " bytes\n";
      Pool.wait();
      return WrongUsage;
    }
    {
      std::unique_lock Held(Lock);
      Answered.wait(Held, [&] { return Waiting < MaxWaiting; });
      ++Waiting;
    }
    Pool.async([&, Line = Line] {
      std::optional<json::Value> Message = Answer(Line);
      {
        std::lock_guard Held(Lock);
        if (Message) {
          Out << *Message << '\n';
          Out.flush();
        }
        --Waiting;
      }
      Answered.notify_one();
    });
  }
  Pool.wait();
  return Done;
}

/// Messages with a header, as the Language Server Protocol frames them.
static std::optional<std::string> readFramed() {
  size_t Length = 0;
  bool HasLength = false;
  std::string Line;
  while (readLine(Line)) {
    StringRef Header = StringRef(Line).rtrim('\r');
    if (Header.empty()) {
      if (!HasLength || Length > MaxLineBytes)
        return std::nullopt;
      std::string Content(Length, '\0');
      if (std::fread(Content.data(), 1, Length, stdin) != Length)
        return std::nullopt;
      return Content;
    }
    if (Header.consume_front_insensitive("content-length:"))
      HasLength = !Header.trim().getAsInteger(10, Length);
  }
  return std::nullopt;
}

/// Status 0 after shutdown and exit, as the protocol demands, else 1.
static ExitStatus serveEditor(const Options &O, raw_ostream &Out,
                              raw_ostream &Err) {
  LanguageServer Server(O, [&](const json::Value &Message) {
    std::string Content;
    raw_string_ostream(Content) << Message;
    Out << "Content-Length: " << Content.size() << "\r\n\r\n" << Content;
    Out.flush();
  });
  while (std::optional<std::string> Content = readFramed()) {
    Expected<json::Value> Message = parseMessage(*Content);
    if (!Message) {
      Err << "gpu-estimate: warning: " << toString(Message.takeError()) << '\n';
      continue;
    }
    if (!Server.take(*Message))
      break;
  }
  return Server.endedInOrder() ? Done : BoundExceeded;
}

ExitStatus runServe(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  if (!O.Serve.Protocol) {
    Err << "gpu-estimate: error: serve: pass --jsonl, --mcp, --lsp or --http\n";
    return WrongUsage;
  }
  Options Defaults = O;
  Defaults.Headers = createHeaderCache();
  if (*O.Serve.Protocol == ServeProtocol::LanguageServer)
    return serveEditor(Defaults, Out, Err);
  Service By(Defaults);
  switch (*O.Serve.Protocol) {
  case ServeProtocol::LanguageServer:
    break;
  case ServeProtocol::Http: // gpu-estimate-web serves it
    Err << "gpu-estimate: error: serve --http: call bin/gpu-estimate\n";
    return WrongUsage;
  case ServeProtocol::JsonLines:
    return serveLines([&](StringRef Line) { return answerJsonLine(By, Line); },
                      Out, Err);
  case ServeProtocol::ModelContext:
    return serveLines(
        [&](StringRef Line) { return answerModelContext(By, Line); }, Out, Err);
  }
  llvm_unreachable("all protocols are served");
}

} // namespace gpuestimate
