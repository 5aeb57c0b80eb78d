#include "RunningRequests.h"

#include "gpu-estimate/Session/Settings/Options.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

/// Codes of JSON-RPC 2.0 and of the protocol.
static constexpr int UnknownMethod = -32601, RequestFailed = -32803,
                     RequestCancelled = -32800;

static std::string textOf(const json::Value &Id) {
  std::string Text;
  raw_string_ostream(Text) << Id;
  return Text;
}

static json::Object errorMessage(const json::Value &Id, int Code,
                                 std::string Text) {
  return json::Object{
      {"jsonrpc", "2.0"},
      {"id", Id},
      {"error", json::Object{{"code", Code}, {"message", std::move(Text)}}}};
}

json::Object answerMessage(const json::Value &Id,
                           Expected<json::Value> Result) {
  if (Result)
    return json::Object{
        {"jsonrpc", "2.0"}, {"id", Id}, {"result", std::move(*Result)}};
  return errorMessage(Id, RequestFailed, toString(Result.takeError()));
}

json::Object unknownMethodMessage(const json::Value &Id, StringRef Method) {
  return errorMessage(Id, UnknownMethod,
                      ("no method is called " + Method).str());
}

RunningRequests::~RunningRequests() {
  {
    std::lock_guard Held(Lock);
    for (auto &Entry : Flags)
      *Entry.second = true;
  }
  Pool.wait();
}

void RunningRequests::start(json::Value Id, Work Answer) {
  auto Flag = std::make_shared<std::atomic<bool>>(false);
  {
    std::lock_guard Held(Lock);
    Flags[textOf(Id)] = Flag;
  }
  Pool.async([this, Id = std::move(Id), Answer = std::move(Answer), Flag] {
    std::optional<Expected<json::Value>> Result;
    bool Survived = *Flag || runGuarded([&] { Result = Answer(Flag); });
    {
      std::lock_guard Held(Lock);
      Flags.erase(textOf(Id));
    }
    if (*Flag || !Survived || !Result) {
      if (Result)
        consumeError(Result->takeError());
      Client.send(
          *Flag ? errorMessage(Id, RequestCancelled, "cancelled")
                : errorMessage(Id, RequestFailed, "the analysis crashed"));
      return;
    }
    Client.send(answerMessage(Id, std::move(*Result)));
  });
}

void RunningRequests::cancel(const json::Value &Id) {
  std::lock_guard Held(Lock);
  if (auto Found = Flags.find(textOf(Id)); Found != Flags.end())
    *Found->second = true;
}

} // namespace gpuestimate
