#include "LanguageServer.h"

#include "Protocols.h"
#include "RequestOptions.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Session/Pipeline/AnalyzeFiles.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>

using namespace llvm;

namespace gpuestimate {

/// Codes of JSON-RPC 2.0 and of the protocol.
static constexpr int MethodNotFound = -32601, RequestFailed = -32803;
/// After a change the analysis waits so long for the next one, so that a word
/// that is being typed is analysed once.
static constexpr std::chrono::milliseconds Pause(40);

static constexpr StringLiteral CompareGpus = "gpu-estimate.compareGpus",
                               SetGpu = "gpu-estimate.setGpu";

LanguageServer::LanguageServer(Options Defaults,
                               std::function<void(const json::Value &)> Send)
    : Send(std::move(Send)), Settings(std::move(Defaults)),
      Worker([this] { analyseChanged(); }) {}

LanguageServer::~LanguageServer() {
  {
    std::lock_guard Held(Lock);
    Stopping = true;
  }
  Changed.notify_all();
  Worker.join();
}

void LanguageServer::send(json::Value Message) {
  std::lock_guard Held(OutLock);
  Send(Message);
}

void LanguageServer::request(StringRef Method) {
  int64_t Id;
  {
    std::lock_guard Held(Lock);
    Id = NextRequest++;
  }
  send(json::Object{{"jsonrpc", "2.0"}, {"id", Id}, {"method", Method}});
}

void LanguageServer::notifyClient(StringRef Method, json::Object Parameters) {
  send(json::Object{{"jsonrpc", "2.0"},
                    {"method", Method},
                    {"params", std::move(Parameters)}});
}

void LanguageServer::complain(Error E) {
  constexpr int OfTypeError = 1;
  if (E)
    notifyClient(
        "window/showMessage",
        json::Object{{"type", OfTypeError},
                     {"message", "gpu-estimate: " + toString(std::move(E))}});
}

bool LanguageServer::take(const json::Value &Message) {
  const json::Object *Given = Message.getAsObject();
  auto Method = Given ? Given->getString("method") : std::nullopt;
  if (!Method) // an answer to a request of ours
    return true;
  static const json::Object None;
  const json::Object *Parameters = Given->getObject("params");
  if (!Parameters)
    Parameters = &None;
  const json::Value *Id = Given->get("id");
  if (!Id) {
    if (*Method == "exit")
      return false;
    notify(*Method, *Parameters);
    return true;
  }
  json::Object Answer{{"jsonrpc", "2.0"}, {"id", *Id}};
  Expected<json::Value> Result = answer(*Method, *Parameters);
  if (Result) {
    Answer["result"] = std::move(*Result);
  } else {
    int Code = Result.errorIsA<UsageError>() ? RequestFailed : MethodNotFound;
    Answer["error"] =
        json::Object{{"code", Code}, {"message", toString(Result.takeError())}};
  }
  send(std::move(Answer));
  return true;
}

json::Value LanguageServer::initialize(const json::Object &Parameters) {
  const json::Object *Client = Parameters.getObject("capabilities");
  auto ClientHas = [&](std::initializer_list<StringRef> Path, StringRef Flag) {
    const json::Object *At = Client;
    for (StringRef Name : Path)
      At = At ? At->getObject(Name) : nullptr;
    return At && At->getBoolean(Flag).value_or(false);
  };
  RefreshesHints = ClientHas({"workspace", "inlayHint"}, "refreshSupport");
  RefreshesLenses = ClientHas({"workspace", "codeLens"}, "refreshSupport");
  if (const json::Object *General =
          Client ? Client->getObject("general") : nullptr)
    if (const json::Array *Encodings = General->getArray("positionEncodings"))
      if (is_contained(*Encodings, json::Value("utf-8")))
        Unit = PositionUnit::Utf8;
  if (const json::Object *Own = Parameters.getObject("initializationOptions"))
    complain(configure(*Own));
  return json::Object{
      {"capabilities",
       json::Object{
           {"positionEncoding",
            Unit == PositionUnit::Utf8 ? "utf-8" : "utf-16"},
           {"textDocumentSync",
            json::Object{{"openClose", true}, {"change", 2}}},
           {"hoverProvider", true},
           {"inlayHintProvider", true},
           {"codeLensProvider", json::Object{}},
           {"executeCommandProvider",
            json::Object{{"commands", json::Array{CompareGpus, SetGpu}}}}}},
      {"serverInfo",
       json::Object{{"name", "gpu-estimate"}, {"version", toolVersion()}}}};
}

Error LanguageServer::configure(const json::Object &Given) {
  std::lock_guard Held(Lock);
  Options New = Settings;
  if (Error E = applyParameters(New, Given))
    return E;
  Settings = std::move(New);
  for (auto &Entry : Documents)
    Entry.second.IsChanged = true;
  Changed.notify_all();
  return Error::success();
}

Expected<json::Value> LanguageServer::answer(StringRef Method,
                                             const json::Object &Parameters) {
  if (Method == "initialize")
    return initialize(Parameters);
  if (Method == "shutdown") {
    ShutDown = true;
    return nullptr;
  }
  if (Method == "workspace/executeCommand")
    return execute(Parameters);
  bool IsHover = Method == "textDocument/hover";
  if (!IsHover && Method != "textDocument/inlayHint" &&
      Method != "textDocument/codeLens")
    return createStringError("no method is called " + Method);
  const json::Object *Text = Parameters.getObject("textDocument");
  std::shared_ptr<const AnalysedDocument> Last;
  {
    std::lock_guard Held(Lock);
    auto Found =
        Documents.find(Text ? Text->getString("uri").value_or("") : "");
    if (Found != Documents.end())
      Last = Found->second.Last;
  }
  if (!Last)
    return nullptr;
  if (Method == "textDocument/inlayHint")
    return inlayHints(*Last, Unit);
  if (Method == "textDocument/codeLens")
    return codeLenses(*Last, Unit);
  auto At = positionFrom(Parameters.getObject("position"));
  return At ? hoverOf(*Last, At->Line + 1) : json::Value(nullptr);
}

Expected<json::Value> LanguageServer::execute(const json::Object &Parameters) {
  StringRef Name = Parameters.getString("command").value_or("");
  static const json::Array None;
  const json::Array *Arguments = Parameters.getArray("arguments");
  if (!Arguments)
    Arguments = &None;
  auto Argument = [&](size_t I) {
    return I < Arguments->size() ? (*Arguments)[I].getAsString().value_or("")
                                 : StringRef();
  };
  if (Name == SetGpu) {
    if (Error E = configure(json::Object{{"gpu", json::Array(*Arguments)}}))
      return std::move(E);
    return nullptr;
  }
  if (Name != CompareGpus)
    return make_error<UsageError>(("no command is called " + Name).str());
  json::Object Request;
  Options Current;
  {
    std::lock_guard Held(Lock);
    auto Found = Documents.find(Argument(0));
    if (Found == Documents.end())
      return make_error<UsageError>("the document is not open");
    Current = Settings;
    Request["file"] = Found->second.Now.Path;
    Request["source"] = Found->second.Now.Text;
  }
  Expected<std::string> Folder = findModelFolder(Current.ModelFolder);
  if (!Folder)
    return Folder.takeError();
  Expected<std::vector<GpuModel>> Models = loadGpuModels(*Folder);
  if (!Models)
    return Models.takeError();
  json::Array Gpus;
  for (const GpuModel &Gpu : *Models)
    if (Gpu.Vendor == "NVIDIA")
      Gpus.push_back(Gpu.Id);
  Request["gpu"] = std::move(Gpus);
  return guardedCall(Service(Current), "estimate", Request);
}

void LanguageServer::notify(StringRef Method, const json::Object &Parameters) {
  if (Method == "workspace/didChangeConfiguration") {
    const json::Object *All = Parameters.getObject("settings");
    const json::Object *Own = All ? All->getObject("gpu-estimate") : nullptr;
    if (Own)
      complain(configure(*Own));
    return;
  }
  const json::Object *Text = Parameters.getObject("textDocument");
  auto Uri = Text ? Text->getString("uri") : std::nullopt;
  std::optional<std::string> Path = Uri ? pathOfUri(*Uri) : std::nullopt;
  if (!Path)
    return;
  if (Method == "textDocument/didClose") {
    {
      std::lock_guard Held(Lock);
      Documents.erase(*Uri);
    }
    notifyClient("textDocument/publishDiagnostics",
                 json::Object{{"uri", *Uri}, {"diagnostics", json::Array{}}});
    return;
  }
  std::lock_guard Held(Lock);
  if (Method == "textDocument/didOpen") {
    OpenDocument &Opened = Documents[*Uri];
    Opened.Now.Path = std::move(*Path);
    Opened.Now.Text = Text->getString("text").value_or("").str();
    Opened.Now.Version = Text->getInteger("version").value_or(0);
    Opened.IsChanged = true;
  } else if (Method == "textDocument/didChange") {
    auto Found = Documents.find(*Uri);
    const json::Array *Changes = Parameters.getArray("contentChanges");
    if (Found == Documents.end() || !Changes)
      return;
    for (const json::Value &Change : *Changes)
      Found->second.Now.apply(Change, Unit);
    Found->second.Now.Version = Text->getInteger("version").value_or(0);
    Found->second.IsChanged = true;
  } else {
    return;
  }
  Changed.notify_all();
}

/// Analyses one version of a document; nothing where it does not compile, as
/// between two key presses.
static std::shared_ptr<AnalysedDocument> analyse(Options O, Document Source) {
  auto Result = std::make_shared<AnalysedDocument>();
  O.Files = {Source.Path};
  O.SourceText = Source.Text;
  O.Format = OutputFormat::Json; // with the cost of lines
  bool Succeeded = false;
  bool Survived = runGuarded([&] {
    std::vector<FileResult> Files = analyzeFiles(O, {});
    Expected<Analysis> &A = Files.front().Result;
    if (!A)
      return consumeError(A.takeError());
    Result->Result = std::move(*A);
    Succeeded = true;
  });
  if (!Survived || !Succeeded)
    return nullptr;
  Result->Source = std::move(Source);
  Result->Silenced = O.Silenced;
  return Result;
}

void LanguageServer::analyseChanged() {
  std::unique_lock Held(Lock);
  while (true) {
    auto IsChanged = [](const auto &Entry) { return Entry.second.IsChanged; };
    Changed.wait(Held,
                 [&] { return Stopping || any_of(Documents, IsChanged); });
    if (Stopping)
      return;
    // What the client sends at once is taken at once.
    Changed.wait_for(Held, Pause, [&] { return Stopping; });
    auto Next = find_if(Documents, IsChanged);
    if (Next == Documents.end())
      continue;
    Next->second.IsChanged = false;
    std::string Uri = Next->first().str();
    Document Source = Next->second.Now;
    Options O = Settings;
    Held.unlock();
    std::shared_ptr<AnalysedDocument> Found;
    if (!O.Gpus.empty())
      Found = analyse(std::move(O), Source);
    json::Array Diagnostics;
    if (Found)
      Diagnostics = editorDiagnostics(*Found, Unit);
    Held.lock();
    auto Document = Documents.find(Uri);
    // A newer version is on its way, or the document is closed.
    if (Document == Documents.end() || Document->second.IsChanged)
      continue;
    if (Found)
      Document->second.Last = Found;
    Held.unlock();
    notifyClient("textDocument/publishDiagnostics",
                 json::Object{{"uri", Uri},
                              {"version", Source.Version},
                              {"diagnostics", std::move(Diagnostics)}});
    if (Found && RefreshesHints)
      request("workspace/inlayHint/refresh");
    if (Found && RefreshesLenses)
      request("workspace/codeLens/refresh");
    Held.lock();
  }
}

} // namespace gpuestimate
