#include "EditorClient.h"

using namespace llvm;

namespace gpuestimate {

void EditorClient::send(json::Value Message) {
  std::lock_guard Held(OutLock);
  Send(Message);
}

void EditorClient::notify(StringRef Method, json::Object Parameters) {
  send(json::Object{{"jsonrpc", "2.0"},
                    {"method", Method},
                    {"params", std::move(Parameters)}});
}

void EditorClient::request(StringRef Method, json::Object Parameters,
                           Receiver Receive) {
  int64_t Id;
  {
    std::lock_guard Held(Lock);
    Id = NextRequest++;
    if (Receive)
      Receivers[Id] = std::move(Receive);
  }
  json::Object Message{{"jsonrpc", "2.0"}, {"id", Id}, {"method", Method}};
  if (!Parameters.empty())
    Message["params"] = std::move(Parameters);
  send(std::move(Message));
}

void EditorClient::takeAnswer(const json::Object &Answer) {
  auto Id = Answer.getInteger("id");
  if (!Id)
    return;
  Receiver Receive;
  {
    std::lock_guard Held(Lock);
    auto Found = Receivers.find(*Id);
    if (Found == Receivers.end())
      return;
    Receive = std::move(Found->second);
    Receivers.erase(Found);
  }
  if (const json::Value *Result = Answer.get("result"))
    Receive(*Result);
}

void EditorClient::complain(Error E) {
  constexpr int OfTypeError = 1;
  if (E)
    notify(
        "window/showMessage",
        json::Object{{"type", OfTypeError},
                     {"message", "gpu-estimate: " + toString(std::move(E))}});
}

WorkProgress::WorkProgress(EditorClient &Client, const json::Object &Parameters,
                           StringRef Title)
    : Client(Client) {
  if (const json::Value *Given = Parameters.get("workDoneToken"))
    Token = *Given;
  tell(json::Object{{"kind", "begin"},
                    {"title", Title},
                    {"cancellable", true},
                    {"percentage", 0}});
}

WorkProgress::~WorkProgress() { tell(json::Object{{"kind", "end"}}); }

void WorkProgress::report(size_t Done, size_t Of, StringRef Message) {
  tell(json::Object{{"kind", "report"},
                    {"percentage", int64_t(Of ? 100 * Done / Of : 100)},
                    {"message", Message}});
}

void WorkProgress::tell(json::Object Value) {
  if (Token)
    Client.notify("$/progress",
                  json::Object{{"token", *Token}, {"value", std::move(Value)}});
}

} // namespace gpuestimate
