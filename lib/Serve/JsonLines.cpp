/// \file
/// Requests and answers as lines of JSON.
#include "Protocols.h"

#include "gpu-estimate/Support/CrashGuard.h"

using namespace llvm;

namespace gpuestimate {

Expected<json::Value> guardedCall(const Service &By, StringRef Method,
                                  const json::Object &Parameters) {
  std::optional<Expected<json::Value>> Result;
  if (runGuarded([&] { Result = By.call(Method, Parameters); }) && Result)
    return std::move(*Result);
  if (Result)
    consumeError(Result->takeError());
  return createStringError("the analysis crashed");
}

Expected<json::Value> parseMessage(StringRef Line) {
  constexpr unsigned MaxDepth = 100;
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Line.size(); ++I) {
    char C = Line[I];
    if (InString && C == '\\')
      ++I;
    else if (C == '"')
      InString = !InString;
    else if (!InString && (C == '[' || C == '{') && ++Depth > MaxDepth)
      return createStringError("nested more than %u levels deep", MaxDepth);
    else if (!InString && (C == ']' || C == '}') && Depth > 0)
      --Depth;
  }
  return json::parse(Line);
}

static json::Object failure(json::Value Id, std::string Message) {
  return json::Object{{"id", std::move(Id)},
                      {"error", json::Object{{"message", std::move(Message)}}}};
}

std::optional<json::Value> answerJsonLine(const Service &By, StringRef Line) {
  if (Line.trim().empty())
    return std::nullopt;
  Expected<json::Value> Message = parseMessage(Line);
  if (!Message)
    return failure(nullptr, toString(Message.takeError()));
  const json::Object *Request = Message->getAsObject();
  if (!Request)
    return failure(nullptr, "expected an object with id, method and params");
  const json::Value *Given = Request->get("id");
  json::Value Id = Given ? *Given : json::Value(nullptr);
  auto Method = Request->getString("method");
  if (!Method)
    return failure(std::move(Id), "method is missing");
  static const json::Object None;
  const json::Object *Parameters = Request->getObject("params");
  Expected<json::Value> Result =
      guardedCall(By, *Method, Parameters ? *Parameters : None);
  if (!Result)
    return failure(std::move(Id), toString(Result.takeError()));
  return json::Object{{"id", std::move(Id)}, {"result", std::move(*Result)}};
}

} // namespace gpuestimate
