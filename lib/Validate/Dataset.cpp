/// \file
/// dataset.yaml, and where datasets are.
#include "gpu-estimate/Validate/Dataset.h"

#include "Cases.h"
#include "YamlKeys.h"
#include "gpu-estimate/Support/Installation.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuestimate {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr StringLiteral Schema = "gpu-estimate-dataset/1";

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

  Error read(ArrayRef<YamlEntry> Entries);
  const CaseDefaults &defaults() const { return Defaults; }
  const std::string &casesFile() const { return Cases; }

private:
  void problem(YamlPlace Where, const std::string &Message) {
    Problems += (Problems.empty() ? "" : "\n") + at(File, Where, Message);
  }
  void expected(const YamlEntry &E, const std::string &What) {
    problem(E.Value.Where,
            E.Key.Text + ": expected " + What +
                (E.Value.Text.empty() ? "" : ", got '" + E.Value.Text + "'"));
  }
  void text(const YamlEntry &E, std::string &Into) {
    Into = E.Value.Text;
    if (E.Kind != YamlEntry::Word || Into.empty())
      expected(E, "a text");
  }
  void entry(const YamlEntry &E);

  StringRef File;
  Dataset &Into;
  CaseDefaults Defaults;
  std::string Cases, Problems;
};

} // namespace

static constexpr StringLiteral Required[] = {
    "schema", "name", "description", "source", "caches", "timing", "cases"};

void Header::entry(const YamlEntry &E) {
  StringRef Key = E.Key.Text;
  const std::string &Value = E.Value.Text;
  if (Key == "schema") {
    if (Value != Schema)
      expected(E, "'" + Schema.str() + "'");
  } else if (Key == "name") {
    text(E, Into.Name);
    if (Into.Name != path::filename(Into.Folder))
      expected(E, "the name of the folder, '" +
                      path::filename(Into.Folder).str() + "'");
  } else if (Key == "description") {
    text(E, Into.Description);
  } else if (Key == "source") {
    text(E, Into.Source);
  } else if (Key == "cases") {
    text(E, Cases);
  } else if (Key == "file") {
    text(E, Defaults.File);
  } else if (Key == "repository") {
    text(E, Into.Repository);
    if (StringRef(Into.Repository).count('/') != 1)
      expected(E, "owner/name");
  } else if (Key == "caches") {
    if (auto Caches = parseCacheState(Value))
      Defaults.Caches = *Caches;
    else
      expected(E, CacheStates);
  } else if (Key == "timing") {
    if (auto Timing = launchTimingFromName(Value))
      Defaults.Timing = *Timing;
    else
      expected(E, LaunchTimings);
  } else if (Key == "divisions") {
    if (auto Divisions = divisionOperandsFromName(Value))
      Into.Divisions = *Divisions;
    else
      expected(E, "ordinary, zero or invalid");
  } else if (Key == "tuning") {
    Into.Tuning = Value == "true";
    if (Value != "true" && Value != "false")
      expected(E, "true or false");
  } else if (Key == "arguments") {
    if (E.Kind == YamlEntry::Map)
      expected(E, "a list of compiler arguments");
    if (!Value.empty())
      Into.Arguments.push_back(Value);
    for (const YamlWord &Item : E.Items)
      Into.Arguments.push_back(Item.Text);
  } else {
    std::vector<std::string> Known(std::begin(Required), std::end(Required));
    Known.insert(Known.end(),
                 {"file", "arguments", "repository", "tuning", "divisions"});
    problem(E.Key.Where, "no key is called '" + E.Key.Text + "'" +
                             didYouMean(E.Key.Text, Known));
  }
}

Error Header::read(ArrayRef<YamlEntry> Entries) {
  for (const YamlEntry &E : Entries)
    entry(E);
  for (StringRef Key : Required)
    if (none_of(Entries, [&](const YamlEntry &E) { return E.Key.Text == Key; }))
      problem({1, 1}, "expected the key '" + Key.str() + "'");
  return Problems.empty() ? Error::success() : createStringError(Problems);
}

Expected<Dataset> loadDataset(StringRef Folder) {
  Dataset D;
  D.Folder = Folder.rtrim("/").str();
  std::string File = inFolder(Folder, "dataset.yaml");
  auto Yaml = readFile(File);
  if (!Yaml)
    return Yaml.takeError();
  auto Entries = readYamlKeys(File, (*Yaml)->getBuffer());
  if (!Entries)
    return Entries.takeError();
  Header Keys(File, D);
  if (Error E = Keys.read(*Entries))
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
  std::vector<std::string> Found;
  std::error_code Problem;
  for (fs::directory_iterator It(Folder, Problem), End; It != End && !Problem;
       It.increment(Problem))
    if (fs::exists(inFolder(It->path(), "dataset.yaml")))
      Found.push_back(It->path());
  if (Problem)
    return createStringError(Folder + ": " + Problem.message());
  llvm::sort(Found);
  return Found;
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
