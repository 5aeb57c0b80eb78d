/// \file
/// Reads dataset.yaml and finds the folders of datasets.
#include "gpu-estimate/Validate/Dataset.h"

#include "Cases.h"
#include "gpu-estimate/Support/Installation.h"
#include "gpu-estimate/Support/Suggest.h"
#include "gpu-estimate/Support/Yaml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace gpuestimate {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr StringLiteral DatasetSchema = "gpu-estimate-dataset/1";

StringRef name(Split S) { return S == Split::Fit ? "fit" : "check"; }

Split splitOf(StringRef CaseId) {
  uint64_t Hash = 0xcbf29ce484222325;
  for (unsigned char C : CaseId.bytes())
    Hash = (Hash ^ C) * 0x100000001b3;
  return ((Hash >> 32) ^ (Hash & 0xffffffff)) % 3 == 0 ? Split::Check
                                                       : Split::Fit;
}

std::optional<double> MeasuredCase::counter(StringRef Name) const {
  for (const auto &[Key, Value] : Counters)
    if (Key == Name)
      return Value;
  return std::nullopt;
}

std::vector<std::string> Dataset::repositories() const {
  std::set<std::string> Names;
  for (const MeasuredCase &Case : Cases)
    for (const CaseLaunch &Launch : Case.Launches)
      if (!Launch.Repository.empty())
        Names.insert(Launch.Repository);
  return {Names.begin(), Names.end()};
}

static std::string inFolder(StringRef Folder, StringRef File) {
  SmallString<128> Path(Folder);
  path::append(Path, File);
  return Path.str().str();
}

static Expected<std::unique_ptr<MemoryBuffer>> readFile(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return createStringError(File + ": " + Buffer.getError().message());
  if (!json::isUTF8((*Buffer)->getBuffer()))
    return createStringError(File + ": not UTF-8 text");
  return std::move(*Buffer);
}

namespace {

/// The keys of dataset.yaml.
class Header {
public:
  Header(StringRef File, Dataset &Into) : File(File), Into(Into) {}

  Error read(const YamlNode &Root);
  const CaseDefaults &defaults() const { return Defaults; }
  const std::string &casesFile() const { return Cases; }

private:
  void problem(TextPlace Place, const std::string &Message) {
    Problems.push_back({Place, Message});
  }
  void expected(const YamlMember &Key, const std::string &What) {
    const std::string &Text = Key.Value.Scalar;
    problem(Key.Value.Place, Key.Name + ": expected " + What +
                                 (Text.empty() ? "" : ", got '" + Text + "'"));
  }
  void text(const YamlMember &Key, std::string &Field) {
    Field = StringRef(Key.Value.Scalar).trim().str();
    if (Field.empty())
      expected(Key, "a text");
  }
  void arguments(const YamlMember &Key);
  void key(const YamlMember &Key);

  StringRef File;
  Dataset &Into;
  CaseDefaults Defaults;
  std::string Cases;
  std::vector<FileMessage> Problems;
};

} // namespace

static constexpr StringLiteral Required[] = {
    "schema", "name", "description", "source", "caches", "timing", "cases"};

void Header::arguments(const YamlMember &Key) {
  std::vector<YamlNode> Items = Key.Value.Items;
  if (!Key.Value.isNull() && Key.Value.isScalar())
    Items.push_back(Key.Value);
  if (Key.Value.isMap() ||
      !all_of(Items, [](const YamlNode &Item) { return Item.isScalar(); }))
    expected(Key, "a list of compiler arguments");
  for (const YamlNode &Item : Items)
    Into.Arguments.push_back(Item.Scalar);
}

void Header::key(const YamlMember &Key) {
  StringRef Name = Key.Name;
  StringRef Value = StringRef(Key.Value.Scalar).trim();
  if (Name == "schema") {
    if (Value != DatasetSchema)
      expected(Key, "'" + DatasetSchema.str() + "'");
  } else if (Name == "name") {
    text(Key, Into.Name);
    if (Into.Name != path::filename(Into.Folder))
      expected(Key, "the name of the folder, '" +
                        path::filename(Into.Folder).str() + "'");
  } else if (Name == "description") {
    text(Key, Into.Description);
  } else if (Name == "source") {
    text(Key, Into.Source);
  } else if (Name == "cases") {
    text(Key, Cases);
  } else if (Name == "file") {
    text(Key, Defaults.File);
  } else if (Name == "repository") {
    text(Key, Defaults.Repository);
    if (!isRepository(Defaults.Repository))
      expected(Key, "owner/name");
  } else if (Name == "caches") {
    if (auto Caches = parseCacheState(Value))
      Defaults.Caches = *Caches;
    else
      expected(Key, CacheStates);
  } else if (Name == "timing") {
    if (auto Timing = launchTimingFromName(Value))
      Defaults.Timing = *Timing;
    else
      expected(Key, LaunchTimings);
  } else if (Name == "divisions") {
    if (auto Divisions = divisionOperandsFromName(Value))
      Into.Divisions = *Divisions;
    else
      expected(Key, "ordinary, zero or invalid");
  } else if (Name == "tuning") {
    Into.Tuning = Value == "true";
    if (Value != "true" && Value != "false")
      expected(Key, "true or false");
  } else if (Name == "arguments") {
    arguments(Key);
  } else {
    std::vector<std::string> Names(std::begin(Required), std::end(Required));
    Names.insert(Names.end(),
                 {"file", "arguments", "repository", "tuning", "divisions"});
    problem(Key.Place,
            "no key is called '" + Key.Name + "'" + didYouMean(Name, Names));
  }
}

Error Header::read(const YamlNode &Root) {
  for (const YamlMember &Member : Root.Members)
    key(Member);
  for (StringRef Name : Required)
    if (!Root.find(Name))
      problem({}, "expected the key '" + Name.str() + "'");
  return Problems.empty() ? Error::success()
                          : createStringError(printMessages(File, Problems));
}

Expected<Dataset> loadDataset(StringRef Folder) {
  Dataset D;
  D.Folder = Folder.rtrim("/").str();
  std::string File = inFolder(Folder, "dataset.yaml");
  auto Yaml = readFile(File);
  if (!Yaml)
    return Yaml.takeError();
  auto Root = readYamlFile(File, (*Yaml)->getBuffer(),
                           {"a description of a dataset", "schema"});
  if (!Root)
    return Root.takeError();
  Header Keys(File, D);
  if (Error E = Keys.read(*Root))
    return E;
  D.CasesFile = inFolder(Folder, Keys.casesFile());
  auto Csv = readFile(D.CasesFile);
  if (!Csv)
    return Csv.takeError();
  auto Cases = readCases(D.CasesFile, (*Csv)->getBuffer(), Keys.defaults());
  if (!Cases)
    return Cases.takeError();
  D.Cases = std::move(*Cases);
  return D;
}

Expected<std::vector<std::string>> datasetFolders(StringRef Folder) {
  std::vector<std::string> Folders;
  std::error_code Problem;
  for (fs::directory_iterator It(Folder, Problem), End; It != End && !Problem;
       It.increment(Problem))
    if (fs::exists(inFolder(It->path(), "dataset.yaml")))
      Folders.push_back(It->path());
  if (Problem)
    return createStringError(Folder + ": " + Problem.message());
  llvm::sort(Folders);
  return Folders;
}

Expected<std::string> findValidationFolder(StringRef Override) {
  if (!Override.empty()) {
    if (!fs::is_directory(Override))
      return createStringError(Override + ": not a folder of datasets");
    return Override.str();
  }
  return findDataFolder("validation");
}

} // namespace gpuestimate
