/// \file
/// https://modelcontextprotocol.io/specification/2025-06-18
#include "Protocols.h"

#include "gpu-estimate/Session/Pipeline/OutputFiles.h"

using namespace llvm;

namespace gpuestimate {

/// Codes of JSON-RPC 2.0, section 5.1.
static constexpr int ParseProblem = -32700, InvalidRequest = -32600,
                     MethodNotFound = -32601, InvalidParameters = -32602;
static constexpr StringLiteral ProtocolVersion = "2025-06-18";

static json::Object answer(const json::Value &Id, StringRef Key,
                           json::Value Content) {
  return json::Object{
      {"jsonrpc", "2.0"}, {"id", Id}, {Key, std::move(Content)}};
}

static json::Object failure(const json::Value &Id, int Code,
                            const Twine &Message) {
  return answer(Id, "error",
                json::Object{{"code", Code}, {"message", Message.str()}});
}

static json::Object greeting() {
  return json::Object{
      {"protocolVersion", ProtocolVersion},
      {"capabilities", json::Object{{"tools", json::Object{}}}},
      {"serverInfo",
       json::Object{{"name", "gpu-estimate"}, {"version", toolVersion()}}},
      {"instructions",
       "Predicts how long GPU kernels take, without a GPU. Start with "
       "'gpus' for the ids; 'estimate' one source, 'rank' several "
       "versions. Where 'defer' or 'tied' is true, measure instead of "
       "choosing by the prediction."}};
}

static json::Array tools() {
  json::Array All;
  for (const ServiceMethod &M : serviceMethods())
    All.push_back(json::Object{{"name", M.Name},
                               {"description", M.Help},
                               {"inputSchema", parameterSchema(M)}});
  return All;
}

/// A tool's failure is a result that the model reads, not one of the protocol.
static json::Object toolResult(Expected<json::Value> Result) {
  bool Failed = !Result;
  std::string Text;
  json::Object Content{{"isError", Failed}};
  if (Result) {
    raw_string_ostream(Text) << *Result;
    Content["structuredContent"] = std::move(*Result);
  } else {
    Text = toString(Result.takeError());
  }
  Content["content"] =
      json::Array{json::Object{{"type", "text"}, {"text", std::move(Text)}}};
  return Content;
}

std::optional<json::Value> answerModelContext(const Service &By,
                                              StringRef Line) {
  if (Line.trim().empty())
    return std::nullopt;
  Expected<json::Value> Message = parseMessage(Line);
  if (!Message)
    return failure(nullptr, ParseProblem, toString(Message.takeError()));
  const json::Object *Request = Message->getAsObject();
  if (!Request)
    return failure(nullptr, InvalidRequest, "expected one object");
  const json::Value *Id = Request->get("id");
  if (!Id) // a notification
    return std::nullopt;
  auto Method = Request->getString("method");
  if (!Method)
    return failure(*Id, InvalidRequest, "method is missing");
  if (*Method == "initialize")
    return answer(*Id, "result", greeting());
  if (*Method == "ping")
    return answer(*Id, "result", json::Object{});
  if (*Method == "tools/list")
    return answer(*Id, "result", json::Object{{"tools", tools()}});
  if (*Method != "tools/call")
    return failure(*Id, MethodNotFound, "no method is called " + *Method);
  const json::Object *Parameters = Request->getObject("params");
  auto Name = Parameters ? Parameters->getString("name") : std::nullopt;
  if (!Name || none_of(serviceMethods(),
                       [&](const ServiceMethod &M) { return M.Name == *Name; }))
    return failure(*Id, InvalidParameters,
                   "no tool is called " + Name.value_or(""));
  static const json::Object None;
  const json::Object *Arguments = Parameters->getObject("arguments");
  return answer(
      *Id, "result",
      toolResult(guardedCall(By, *Name, Arguments ? *Arguments : None)));
}

} // namespace gpuestimate
