#include "StoredHeaders.h"

#include "clang/Basic/Version.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <unistd.h>

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral Extension = ".pch";

static int64_t nanoseconds(sys::TimePoint<> Time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             Time.time_since_epoch())
      .count();
}

HeaderState stateOf(StringRef Path) {
  sys::fs::file_status Status;
  if (sys::fs::status(Path, Status))
    return {Path.str(), 0, -1};
  return {Path.str(), Status.getSize(),
          nanoseconds(Status.getLastModificationTime())};
}

std::vector<HeaderState> headersRead(clang::CompilerInstance &Compiler) {
  std::vector<HeaderState> States;
  auto Add = [&](StringRef Name) {
    SmallString<256> Path(Name);
    Compiler.getFileManager().makeAbsolutePath(Path);
    States.push_back(stateOf(Path));
  };
  const clang::SourceManager &Sources = Compiler.getSourceManager();
  clang::OptionalFileEntryRef Main =
      Sources.getFileEntryRefForID(Sources.getMainFileID());
  for (auto It = Sources.fileinfo_begin(); It != Sources.fileinfo_end(); ++It)
    if (!Main || It->first != *Main)
      Add(It->first.getName());
  clang::HeaderSearch &Search =
      Compiler.getPreprocessor().getHeaderSearchInfo();
  for (const clang::DirectoryLookup &Folder : Search.search_dir_range())
    Add(Folder.getName());
  return States;
}

/// Others could make a process read what it would not compile.
static bool isOfTheUserAlone(StringRef Folder) {
  sys::fs::file_status Status;
  return !sys::fs::status(Folder, Status) && Status.getUser() == ::geteuid() &&
         !(Status.permissions() &
           (sys::fs::group_write | sys::fs::others_write));
}

StoredHeaders::StoredHeaders() {
  SmallString<256> Path;
  if (!sys::path::cache_directory(Path) || !sys::path::is_absolute(Path))
    return;
  sys::path::append(Path, "gpu-estimate", "headers");
  if (!sys::fs::create_directories(Path, /*IgnoreExisting=*/true,
                                   sys::fs::owner_all) &&
      isOfTheUserAlone(Path))
    Folder = Path.str().str();
}

std::string StoredHeaders::pathOf(StringRef Key) const {
  std::string Whole = clang::getClangFullVersion() + "\n" + Key.str();
  XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(Whole));
  SmallString<256> Path(Folder);
  sys::path::append(Path,
                    utohexstr(Hash.high64) + utohexstr(Hash.low64) + Extension);
  return Path.str().str();
}

/// What tells that a file is as it was written.
static std::string hashOf(StringRef Precompiled) {
  return utohexstr(xxh3_64bits(Precompiled));
}

/// Is the file whole, and are the headers as they were?
static bool isCurrent(StringRef Precompiled, StringRef Record) {
  Expected<json::Value> Value = json::parse(Record);
  if (!Value) {
    consumeError(Value.takeError());
    return false;
  }
  const json::Object *Object = Value->getAsObject();
  const json::Array *All = Object ? Object->getArray("headers") : nullptr;
  if (!All || Object->getString("hash") != hashOf(Precompiled))
    return false;
  return all_of(*All, [](const json::Value &V) {
    const json::Array *Row = V.getAsArray();
    if (!Row || Row->size() != 3)
      return false;
    HeaderState Then = {(*Row)[0].getAsString().value_or("").str(),
                        uint64_t((*Row)[1].getAsInteger().value_or(0)),
                        (*Row)[2].getAsInteger().value_or(0)};
    return stateOf(Then.Path) == Then;
  });
}

std::unique_ptr<MemoryBuffer> StoredHeaders::find(StringRef Key) const {
  if (!isUsable())
    return nullptr;
  std::string Path = pathOf(Key);
  auto File = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!File)
    return nullptr;
  StringRef All = (*File)->getBuffer();
  if (All.size() < sizeof(uint64_t))
    return nullptr;
  uint64_t Size = support::endian::read64le(All.end() - sizeof(uint64_t));
  All = All.drop_back(sizeof(uint64_t));
  if (Size > All.size() || !isCurrent(All.drop_back(Size), All.take_back(Size)))
    return nullptr;
  // Its place among those that were used last.
  if (auto Open = sys::fs::openNativeFileForReadWrite(
          Path, sys::fs::CD_OpenExisting, sys::fs::OF_None)) {
    (void)sys::fs::setLastAccessAndModificationTime(
        *Open, std::chrono::system_clock::now());
    sys::fs::closeFile(*Open);
  } else {
    consumeError(Open.takeError());
  }
  return std::move(*File);
}

void StoredHeaders::keep(StringRef Key, StringRef Precompiled,
                         ArrayRef<HeaderState> States) const {
  if (!isUsable())
    return;
  json::Array Rows;
  for (const HeaderState &State : States) {
    // Which state of a file that is being written was read is not known.
    if (State.Changed < 0 || !json::isUTF8(State.Path))
      return;
    Rows.push_back(
        json::Array{State.Path, int64_t(State.Bytes), State.Changed});
  }
  std::string Text;
  raw_string_ostream(Text) << json::Value(json::Object{
      {"hash", hashOf(Precompiled)}, {"headers", std::move(Rows)}});
  char Size[sizeof(uint64_t)];
  support::endian::write64le(Size, Text.size());
  if (Error E = writeToOutput(pathOf(Key), [&](raw_ostream &Out) {
        Out << Precompiled << Text << StringRef(Size, sizeof(Size));
        return Error::success();
      }))
    return consumeError(std::move(E));
  deleteOldest();
}

void StoredHeaders::deleteOldest() const {
  std::vector<std::pair<sys::TimePoint<>, std::string>> Files;
  std::error_code Code;
  for (sys::fs::directory_iterator Entry(Folder, Code), End;
       Entry != End && !Code; Entry.increment(Code))
    if (auto Status = Entry->status();
        Status && sys::path::extension(Entry->path()) == Extension)
      Files.push_back({Status->getLastModificationTime(), Entry->path()});
  sort(Files);
  for (size_t I = 0; I + MaxFiles < Files.size(); ++I)
    (void)sys::fs::remove(Files[I].second);
}

} // namespace gpuestimate
