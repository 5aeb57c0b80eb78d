#include "LanguageServer.h"

#include "CodeActions.h"
#include "EstimateJson.h"
#include "Service.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Report/Html/Html.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Session/Pipeline/ParseRequests.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <map>

using namespace llvm;

namespace gpuestimate {

/// After a change the analysis waits so long for the next one, so that a word
/// that is being typed is analysed once.
static constexpr std::chrono::milliseconds Pause(40);

static constexpr StringLiteral CompareGpus = "gpu-estimate.compareGpus",
                               ListGpus = "gpu-estimate.gpus",
                               SetGpu = "gpu-estimate.setGpu",
                               ShowReport = "gpu-estimate.showReport",
                               Section = "gpu-estimate";

LanguageServer::LanguageServer(Options Defaults, EditorClient::Sender Send)
    : Client(std::move(Send)), Settings(std::move(Defaults)), Requests(Client),
      Worker([this] { analyseChanged(); }) {}

LanguageServer::~LanguageServer() {
  {
    std::lock_guard Held(Lock);
    Stopping = true;
    for (auto &Entry : Documents)
      Entry.second.change();
  }
  Changed.notify_all();
  Worker.join();
}

bool LanguageServer::take(const json::Value &Message) {
  const json::Object *Given = Message.getAsObject();
  if (!Given)
    return true;
  auto Method = Given->getString("method");
  if (!Method) {
    Client.takeAnswer(*Given);
    return true;
  }
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
  if (RunningRequests::Work Work = slowAnswer(*Method, *Parameters))
    Requests.start(*Id, std::move(Work));
  else if (auto Result = answer(*Method, *Parameters))
    Client.send(answerMessage(*Id, std::move(*Result)));
  else
    Client.send(unknownMethodMessage(*Id, *Method));
  return true;
}

json::Value LanguageServer::initialize(const json::Object &Parameters) {
  const json::Object *Abilities = Parameters.getObject("capabilities");
  auto ClientHas = [&](std::initializer_list<StringRef> Path, StringRef Flag) {
    const json::Object *At = Abilities;
    for (StringRef Name : Path)
      At = At ? At->getObject(Name) : nullptr;
    return At && At->getBoolean(Flag).value_or(false);
  };
  RefreshesHints = ClientHas({"workspace", "inlayHint"}, "refreshSupport");
  RefreshesLenses = ClientHas({"workspace", "codeLens"}, "refreshSupport");
  IsAsked = ClientHas({"workspace"}, "configuration");
  if (const json::Object *General =
          Abilities ? Abilities->getObject("general") : nullptr)
    if (const json::Array *Encodings = General->getArray("positionEncodings"))
      if (is_contained(*Encodings, json::Value("utf-8")))
        Unit = PositionUnit::Utf8;
  if (const json::Object *Own = Parameters.getObject("initializationOptions"))
    Client.complain(
        change([&](EditorSettings &S) { return S.configure(*Own); }));
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
           {"codeActionProvider",
            json::Object{{"codeActionKinds", json::Array{"refactor.rewrite"}},
                         {"workDoneProgress", true}}},
           {"executeCommandProvider",
            json::Object{{"commands", json::Array{CompareGpus, ListGpus, SetGpu,
                                                  ShowReport}},
                         {"workDoneProgress", true}}}}},
      {"serverInfo",
       json::Object{{"name", "gpu-estimate"}, {"version", toolVersion()}}}};
}

Error LanguageServer::change(function_ref<Error(EditorSettings &)> By) {
  std::lock_guard Held(Lock);
  if (Error E = By(Settings))
    return E;
  for (auto &Entry : Documents)
    Entry.second.change();
  Changed.notify_all();
  return Error::success();
}

std::shared_ptr<const AnalysedDocument>
LanguageServer::lastOf(const json::Object &Parameters) {
  const json::Object *Text = Parameters.getObject("textDocument");
  std::lock_guard Held(Lock);
  auto Found = Documents.find(Text ? Text->getString("uri").value_or("") : "");
  return Found == Documents.end() ? nullptr : Found->second.Last;
}

std::optional<std::pair<Document, EditorSettings>>
LanguageServer::documentOf(StringRef Uri) {
  std::lock_guard Held(Lock);
  auto Found = Documents.find(Uri);
  if (Found == Documents.end())
    return std::nullopt;
  return std::pair(Found->second.Now, Settings);
}

std::optional<Expected<json::Value>>
LanguageServer::answer(StringRef Method, const json::Object &Parameters) {
  if (Method == "initialize")
    return initialize(Parameters);
  if (Method == "shutdown") {
    ShutDown = true;
    return json::Value(nullptr);
  }
  if (Method == "workspace/executeCommand")
    return executeCommand(Parameters);
  bool IsHover = Method == "textDocument/hover";
  if (!IsHover && Method != "textDocument/inlayHint" &&
      Method != "textDocument/codeLens")
    return std::nullopt;
  std::shared_ptr<const AnalysedDocument> Last = lastOf(Parameters);
  if (!Last)
    return json::Value(nullptr);
  if (Method == "textDocument/inlayHint")
    return json::Value(inlayHints(*Last, Unit));
  if (Method == "textDocument/codeLens")
    return json::Value(codeLenses(*Last, Unit));
  auto At = positionFrom(Parameters.getObject("position"));
  return At ? hoverOf(*Last, At->Line + 1) : json::Value(nullptr);
}

RunningRequests::Work
LanguageServer::slowAnswer(StringRef Method, const json::Object &Parameters) {
  if (Method == "workspace/executeCommand" &&
      Parameters.getString("command") == CompareGpus)
    return [this, Parameters = json::Object(Parameters)](CancelFlag Cancelled) {
      return compareGpus(Parameters, std::move(Cancelled));
    };
  if (Method == "workspace/executeCommand" &&
      Parameters.getString("command") == ShowReport)
    return [this, Parameters = json::Object(Parameters)](CancelFlag Cancelled) {
      return showReport(Parameters, std::move(Cancelled));
    };
  if (Method == "textDocument/codeAction")
    return [this, Parameters = json::Object(Parameters)](CancelFlag Cancelled) {
      return codeAction(Parameters, std::move(Cancelled));
    };
  return {};
}

Expected<json::Value>
LanguageServer::executeCommand(const json::Object &Parameters) {
  StringRef Name = Parameters.getString("command").value_or("");
  if (Name == ListGpus) {
    std::lock_guard Held(Lock);
    return gpusJson(Settings.options());
  }
  if (Name != SetGpu)
    return make_error<UsageError>(("no command is called " + Name).str());
  const json::Array *Ids = Parameters.getArray("arguments");
  if (Error E = change([&](EditorSettings &S) {
        return S.chooseGpus(Ids ? *Ids : json::Array());
      }))
    return std::move(E);
  return nullptr;
}

/// The GPUs of NVIDIA by the architecture that their code is compiled for.
static Expected<std::map<std::string, json::Array>>
gpusByArchitecture(const Options &O) {
  Expected<std::string> Folder = findModelFolder(O.ModelFolder);
  if (!Folder)
    return Folder.takeError();
  Expected<std::vector<GpuModel>> Models = loadGpuModels(*Folder);
  if (!Models)
    return Models.takeError();
  std::map<std::string, json::Array> Groups;
  for (const GpuModel &Gpu : *Models)
    if (Gpu.Vendor == "NVIDIA")
      Groups[targetArch(O, Gpu)].push_back(Gpu.Id);
  return Groups;
}

Expected<std::pair<Document, EditorSettings>>
LanguageServer::documentOfCommand(const json::Object &Parameters) {
  const json::Array *Arguments = Parameters.getArray("arguments");
  auto Uri = Arguments && !Arguments->empty() ? Arguments->front().getAsString()
                                              : std::nullopt;
  auto Open = documentOf(Uri.value_or(""));
  if (!Open)
    return make_error<UsageError>("the document is not open");
  return std::move(*Open);
}

Expected<json::Value> LanguageServer::showReport(const json::Object &Parameters,
                                                 CancelFlag Cancelled) {
  auto Open = documentOfCommand(Parameters);
  if (!Open)
    return Open.takeError();
  auto &[Source, By] = *Open;
  WorkProgress Progress(Client, Parameters, "Making the report");
  Expected<SharedAnalysis> A = analyse(
      By, Source.Path, Source.Text, std::move(Cancelled), OutputFormat::Html);
  if (!A)
    return A.takeError();
  std::string Page;
  raw_string_ostream OS(Page);
  printHtml(OS, **A, By.options().Silenced, toolVersion());
  return json::Object{{"html", json::fixUTF8(Page)}};
}

Expected<json::Value>
LanguageServer::compareGpus(const json::Object &Parameters,
                            CancelFlag Cancelled) {
  auto Open = documentOfCommand(Parameters);
  if (!Open)
    return Open.takeError();
  auto &[Source, By] = *Open;
  auto Groups = gpusByArchitecture(By.options());
  if (!Groups)
    return Groups.takeError();
  WorkProgress Progress(Client, Parameters, "Comparing GPUs");
  json::Object All{{"estimates", json::Array()},
                   {"without_estimate", json::Array()},
                   {"notices", json::Array()}};
  size_t Done = 0;
  for (const auto &[Architecture, Gpus] : *Groups) {
    if (*Cancelled)
      return createStringError("cancelled");
    Progress.report(Done++, Groups->size(), Architecture);
    if (Error E = By.chooseGpus(Gpus))
      return std::move(E);
    Expected<SharedAnalysis> A =
        analyse(By, Source.Path, Source.Text, Cancelled);
    if (!A)
      return A.takeError();
    json::Object Part = analysisJson(**A);
    for (auto &[Name, Into] : All)
      for (json::Value &Row : *Part.getArray(Name))
        Into.getAsArray()->push_back(std::move(Row));
  }
  return All;
}

Expected<json::Value> LanguageServer::codeAction(const json::Object &Parameters,
                                                 CancelFlag Cancelled) {
  json::Array None;
  const json::Object *Text = Parameters.getObject("textDocument");
  auto Open = documentOf(Text ? Text->getString("uri").value_or("") : "");
  const json::Object *Range = Parameters.getObject("range");
  auto From = positionFrom(Range ? Range->getObject("start") : nullptr),
       To = positionFrom(Range ? Range->getObject("end") : nullptr);
  if (!Open || !From || !To)
    return None;
  if (const json::Object *Context = Parameters.getObject("context"))
    if (const json::Array *Only = Context->getArray("only"))
      if (!is_contained(*Only, json::Value("refactor")) &&
          !is_contained(*Only, json::Value("refactor.rewrite")))
        return None;
  auto &[Source, By] = *Open;
  std::string Path = Source.Path;
  auto D = analysed(By, std::move(Source), Cancelled);
  if (!D)
    return None;
  std::optional<WorkProgress> Progress; // where there is something to try
  std::vector<CheckedEdit> Edits =
      EditSearch(
          *D,
          [&](const std::string &Changed) {
            return analyse(By, Path, Changed, Cancelled);
          },
          [&](size_t Done, size_t Of) {
            if (!Progress)
              Progress.emplace(Client, Parameters, "Trying changes");
            Progress->report(Done, Of, "change " + std::to_string(Done + 1));
            return !*Cancelled;
          })
          .run(From->Line + 1, To->Line + 1);
  return codeActions(*D, Edits, Unit);
}

void LanguageServer::configurationChanged(const json::Object &Parameters) {
  const json::Object *All = Parameters.getObject("settings");
  if (const json::Object *Own = All ? All->getObject(Section) : nullptr) {
    Client.complain(
        change([&](EditorSettings &S) { return S.configure(*Own); }));
  } else if (IsAsked) { // the client says only that something has changed
    json::Array Items{json::Object{{"section", Section}}};
    Client.request(
        "workspace/configuration", json::Object{{"items", std::move(Items)}},
        [this](const json::Value &Answer) {
          const json::Array *Values = Answer.getAsArray();
          const json::Object *Own = Values && !Values->empty()
                                        ? Values->front().getAsObject()
                                        : nullptr;
          if (Own)
            Client.complain(
                change([&](EditorSettings &S) { return S.configure(*Own); }));
        });
  }
}

void LanguageServer::notify(StringRef Method, const json::Object &Parameters) {
  if (Method == "workspace/didChangeConfiguration")
    return configurationChanged(Parameters);
  if (Method == "$/cancelRequest") {
    if (const json::Value *Id = Parameters.get("id"))
      Requests.cancel(*Id);
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
      if (auto Found = Documents.find(*Uri); Found != Documents.end()) {
        Found->second.change(); // its analysis ends
        Documents.erase(Found);
      }
    }
    Client.notify("textDocument/publishDiagnostics",
                  json::Object{{"uri", *Uri}, {"diagnostics", json::Array{}}});
    return;
  }
  std::lock_guard Held(Lock);
  if (Method == "textDocument/didOpen") {
    OpenDocument &Opened = Documents[*Uri];
    Opened.Now.Path = std::move(*Path);
    Opened.Now.Text = Text->getString("text").value_or("").str();
    Opened.Now.Version = Text->getInteger("version").value_or(0);
    Opened.change();
  } else if (Method == "textDocument/didChange") {
    auto Found = Documents.find(*Uri);
    const json::Array *Changes = Parameters.getArray("contentChanges");
    if (Found == Documents.end() || !Changes)
      return;
    for (const json::Value &Change : *Changes)
      Found->second.Now.apply(Change, Unit);
    Found->second.Now.Version = Text->getInteger("version").value_or(0);
    Found->second.change();
  } else {
    return;
  }
  Changed.notify_all();
}

Expected<SharedAnalysis> LanguageServer::analyse(const EditorSettings &By,
                                                 StringRef Path,
                                                 const std::string &Text,
                                                 CancelFlag Cancelled,
                                                 OutputFormat Format) {
  Options O = By.options();
  if (O.Gpus.empty())
    return make_error<UsageError>("gpu: pass the id of a GPU model");
  O.Files = {Path.str()};
  O.SourceText = Text;
  O.Format = Format; // Json: with the cost of lines
  // As in the plugin: nobody waits for an assembler while typing.
  if (O.Ptxas.empty())
    O.Ptxas = "off";
  if (O.MachineCode.empty())
    O.MachineCode = "off";
  O.Cancelled = std::move(Cancelled);
  std::string Key;
  raw_string_ostream(Key) << json::Value(
      json::Array{By.text(), Path, Text, Format == OutputFormat::Html});
  return Memory.analyse(O, Key, {});
}

std::shared_ptr<const AnalysedDocument>
LanguageServer::analysed(const EditorSettings &By, Document Source,
                         CancelFlag Cancelled) {
  SharedAnalysis Found;
  bool Survived = runGuarded([&] {
    Expected<SharedAnalysis> A =
        analyse(By, Source.Path, Source.Text, std::move(Cancelled));
    if (A)
      Found = std::move(*A);
    else
      consumeError(A.takeError());
  });
  if (!Survived || !Found)
    return nullptr;
  auto Result = std::make_shared<AnalysedDocument>();
  Result->Found = std::move(Found);
  Result->Source = std::move(Source);
  Result->Silenced = By.options().Silenced;
  return Result;
}

void LanguageServer::publish(StringRef Uri, int64_t Version,
                             json::Array Diagnostics, bool HasNewResult) {
  Client.notify("textDocument/publishDiagnostics",
                json::Object{{"uri", Uri},
                             {"version", Version},
                             {"diagnostics", std::move(Diagnostics)}});
  if (HasNewResult && RefreshesHints)
    Client.request("workspace/inlayHint/refresh");
  if (HasNewResult && RefreshesLenses)
    Client.request("workspace/codeLens/refresh");
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
    if (Stopping || Next == Documents.end())
      continue;
    Next->second.IsChanged = false;
    auto Cancelled = std::make_shared<std::atomic<bool>>(false);
    Next->second.Running = Cancelled;
    std::string Uri = Next->first().str();
    Document Source = Next->second.Now;
    EditorSettings By = Settings;
    Held.unlock();
    int64_t Version = Source.Version;
    std::shared_ptr<const AnalysedDocument> Found =
        analysed(By, std::move(Source), Cancelled);
    json::Array Diagnostics;
    if (Found)
      Diagnostics = editorDiagnostics(*Found, Unit);
    Held.lock();
    // A newer version is on its way, or the document is closed.
    auto Document = Documents.find(Uri);
    if (*Cancelled || Document == Documents.end())
      continue;
    Document->second.Running = nullptr;
    if (Found)
      Document->second.Last = Found;
    Held.unlock();
    publish(Uri, Version, std::move(Diagnostics), Found != nullptr);
    Held.lock();
  }
}

} // namespace gpuestimate
