#include "gpu-estimate/Session/Pipeline/CompilerAnswers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace gpuestimate {

/// First line of a record; its number grows if the meaning of a field changes.
static constexpr StringLiteral Format = "gpu-estimate nvcc 1";
/// pruneCache() leaves files of other names alone.
static constexpr StringLiteral Prefix = "llvmcache-";
static constexpr uint64_t MaxRecords = 1000;

static std::string hashText(StringRef Text) {
  XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(Text));
  return utohexstr(Hash.high64) + utohexstr(Hash.low64);
}

/// A program by its place, size and time: an SDK is replaced as a whole.
static std::string identityOf(StringRef Program) {
  SmallString<128> Path;
  sys::fs::file_status Status;
  if (sys::fs::real_path(Program, Path) || sys::fs::status(Path, Status))
    return "";
  return (Path + "\n" + Twine(Status.getSize()) + "\n" +
          Twine(Status.getLastModificationTime().time_since_epoch().count()) +
          "\n")
      .str();
}

std::string answerKey(const NvccRequest &Request, ArrayRef<std::string> Files) {
  std::string Compiler = identityOf(Request.Compile.Path);
  std::string Assembler = identityOf(Request.Assembler.Path);
  if (Compiler.empty() || Assembler.empty())
    return "";
  std::string Text = Format.str() + "\n" + Compiler + Assembler +
                     Request.Assembler.Arch + "\n" +
                     std::to_string(Request.Assembler.MaxRegisters) + "\n" +
                     Request.Compile.Directory + "\n" + Request.Compile.File +
                     "\n" + join(Request.Compile.Arguments, "\n") + "\n";
  for (const std::string &File : Files) {
    auto Contents = MemoryBuffer::getFile(File);
    if (!Contents)
      return "";
    Text += File + "\n" + hashText((*Contents)->getBuffer()) + "\n";
  }
  return hashText(Text);
}

CompilerAnswers::CompilerAnswers() {
  SmallString<128> Path;
  if (!sys::path::cache_directory(Path) || !sys::path::is_absolute(Path))
    return;
  sys::path::append(Path, "gpu-estimate", "nvcc");
  if (!sys::fs::create_directories(Path, /*IgnoreExisting=*/true,
                                   sys::fs::owner_all))
    Folder = Path.str().str();
}

std::string CompilerAnswers::pathOf(StringRef Key) const {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Prefix + Key);
  return Path.str().str();
}

static json::Value toJson(const CompiledKernel &K) {
  json::Object Record{{"kernel", K.Mangled},
                      {"registers", K.Registers},
                      {"stack", K.StackBytes},
                      {"spill_stores", K.SpillStoreBytes},
                      {"spill_loads", K.SpillLoadBytes},
                      {"shared", K.StaticSharedBytes},
                      {"barriers", K.Code.Barriers},
                      {"code", K.Code.CodeBytes}};
  if (K.LocalBytes)
    Record["local"] = *K.LocalBytes;
  return Record;
}

static std::optional<CompiledKernel> fromJson(const json::Value &Value) {
  const json::Object *Record = Value.getAsObject();
  std::optional<StringRef> Name =
      Record ? Record->getString("kernel") : std::nullopt;
  if (!Name)
    return std::nullopt;
  auto Number = [&](StringRef Field) {
    return std::max<int64_t>(0, Record->getInteger(Field).value_or(0));
  };
  CompiledKernel K;
  K.Mangled = Name->str();
  K.Registers = Number("registers");
  K.StackBytes = Number("stack");
  K.SpillStoreBytes = Number("spill_stores");
  K.SpillLoadBytes = Number("spill_loads");
  K.StaticSharedBytes = Number("shared");
  K.Code.Barriers = Number("barriers");
  K.Code.CodeBytes = Number("code");
  if (Record->getInteger("local"))
    K.LocalBytes = Number("local");
  return K;
}

std::optional<CompilerAnswer> CompilerAnswers::find(StringRef Key) const {
  if (Folder.empty() || Key.empty())
    return std::nullopt;
  auto File = MemoryBuffer::getFile(pathOf(Key));
  if (!File)
    return std::nullopt;
  Expected<json::Value> Value = json::parse((*File)->getBuffer());
  if (!Value) {
    consumeError(Value.takeError());
    return std::nullopt;
  }
  const json::Object *Record = Value->getAsObject();
  const json::Array *Kernels = Record ? Record->getArray("kernels") : nullptr;
  if (!Kernels)
    return std::nullopt;
  CompilerAnswer Answer;
  Answer.Problem = Record->getString("problem").value_or("").str();
  for (const json::Value &Kernel : *Kernels) {
    std::optional<CompiledKernel> K = fromJson(Kernel);
    if (!K)
      return std::nullopt;
    Answer.Kernels.push_back(std::move(*K));
  }
  return Answer;
}

void CompilerAnswers::keep(StringRef Key, const CompilerAnswer &Answer) const {
  if (Folder.empty() || Key.empty())
    return;
  json::Array Kernels;
  for (const CompiledKernel &K : Answer.Kernels)
    Kernels.push_back(toJson(K));
  json::Object Record{{"kernels", std::move(Kernels)}};
  if (!Answer.Problem.empty())
    Record["problem"] = json::fixUTF8(Answer.Problem);
  consumeError(writeToOutput(pathOf(Key), [&](raw_ostream &Out) {
    Out << json::Value(std::move(Record)) << '\n';
    return Error::success();
  }));
  CachePruningPolicy Policy;
  Policy.MaxSizeFiles = MaxRecords;
  Policy.MaxSizePercentageOfAvailableSpace = 0;
  pruneCache(Folder, Policy);
}

} // namespace gpuestimate
