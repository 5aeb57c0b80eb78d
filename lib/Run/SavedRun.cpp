/// \file
/// Saved runs: a line of JSON, then chunks. A chunk is two little-endian
/// 32-bit numbers, its bytes before and after compression, and a zstd frame.
/// The chunks together are the lines of the records; a line can begin in one
/// chunk and end in another.
#include "Fields.h"
#include "gpu-estimate/Run/Channel.h"
#include "gpu-estimate/Support/JsonObject.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral Schema = "gpu-estimate-saved-run/4";
/// Bytes of a chunk before compression. A file cannot make its reader reserve
/// more than this at once.
static constexpr size_t ChunkBytes = 1 << 20;

/// Bytes of all records before compression.
static constexpr uint64_t MaxTotalBytes = uint64_t(1) << 33;

static void writeChunk(raw_ostream &OS, StringRef Text) {
  SmallVector<uint8_t, 0> Packed;
  compression::zstd::compress(arrayRefFromStringRef(Text), Packed);
  support::endian::write<uint32_t>(OS, Text.size(), endianness::little);
  support::endian::write<uint32_t>(OS, Packed.size(), endianness::little);
  OS << toStringRef(Packed);
}

Error saveRun(StringRef File, ArrayRef<RunRecord> Records) {
  return writeToOutput(File, [&](raw_ostream &OS) {
    OS << json::Value(
              json::Object{{"schema", Schema}, {"records", Records.size()}})
       << '\n';
    std::string Text;
    for (const RunRecord &R : Records) {
      Text += toJson(R);
      Text += '\n';
      size_t Begin = 0;
      for (; Text.size() - Begin >= ChunkBytes; Begin += ChunkBytes)
        writeChunk(OS, StringRef(Text).substr(Begin, ChunkBytes));
      Text.erase(0, Begin);
    }
    if (!Text.empty())
      writeChunk(OS, Text);
    return Error::success();
  });
}

namespace {

/// Takes saved bytes apart.
class SavedRunReader {
public:
  explicit SavedRunReader(StringRef Bytes) : Bytes(Bytes) {}
  Expected<std::vector<RunRecord>> read();

private:
  Expected<uint64_t> readHeader();
  Error readChunk();
  Error takeLines();

  StringRef Bytes;  ///< not yet read
  std::string Text; ///< unpacked, not yet parsed
  uint64_t Unpacked = 0;
  std::vector<RunRecord> Records;
};

} // namespace

/// Returns the number of records.
Expected<uint64_t> SavedRunReader::readHeader() {
  auto [Line, Chunks] = Bytes.split('\n');
  Expected<json::Object> Header = parseJsonObject(Line.take_front(ChunkBytes));
  if (!Header) {
    consumeError(Header.takeError());
    return createStringError("not a saved run of `gpu-estimate run --save`");
  }
  std::optional<StringRef> Version = Header->getString("schema");
  if (!Version || *Version != Schema)
    return createStringError("not a saved run of this version: expected "
                             "\"schema\": \"" +
                             Schema + "\"; save it again");
  Bytes = Chunks;
  if (const json::Value *Count = Header->get("records"))
    if (std::optional<uint64_t> Number = Count->getAsUINT64())
      return *Number;
  return createStringError("expected \"records\" in the first line");
}

Error SavedRunReader::readChunk() {
  constexpr size_t HeadBytes = 8;
  if (Bytes.size() < HeadBytes)
    return createStringError("cut off within a chunk");
  size_t Size = support::endian::read32le(Bytes.data());
  size_t PackedSize = support::endian::read32le(Bytes.data() + 4);
  Bytes = Bytes.drop_front(HeadBytes);
  if (PackedSize > Bytes.size())
    return createStringError("cut off within a chunk");
  if (Size > ChunkBytes)
    return createStringError("a chunk is longer than " + Twine(ChunkBytes) +
                             " bytes");
  SmallVector<uint8_t, 0> Chunk;
  if (Error E = compression::zstd::decompress(
          arrayRefFromStringRef(Bytes.take_front(PackedSize)), Chunk, Size)) {
    return createStringError("a chunk is damaged: " + toString(std::move(E)));
  }
  Bytes = Bytes.drop_front(PackedSize);
  Unpacked += Chunk.size();
  if (Unpacked > MaxTotalBytes)
    return createStringError("more than " + Twine(MaxTotalBytes) +
                             " bytes of records");
  Text += toStringRef(Chunk);
  return Error::success();
}

Error SavedRunReader::takeLines() {
  size_t Begin = 0;
  for (size_t End; (End = Text.find('\n', Begin)) != std::string::npos;
       Begin = End + 1) {
    Expected<RunRecord> R = parseRunRecord(StringRef(Text).slice(Begin, End));
    if (!R)
      return createStringError("record " + Twine(Records.size() + 1) + ": " +
                               toString(R.takeError()));
    Records.push_back(std::move(*R));
  }
  Text.erase(0, Begin);
  return Error::success();
}

Expected<std::vector<RunRecord>> SavedRunReader::read() {
  Expected<uint64_t> Count = readHeader();
  if (!Count)
    return Count.takeError();
  while (!Bytes.empty()) {
    if (Error E = readChunk())
      return E;
    if (Error E = takeLines())
      return E;
  }
  if (!Text.empty())
    return createStringError("record " + Twine(Records.size() + 1) +
                             ": cut off");
  if (Records.size() != *Count)
    return createStringError("cut off or edited: its first line counts " +
                             Twine(*Count) + " records, and there are " +
                             Twine(Records.size()));
  return std::move(Records);
}

Expected<std::vector<RunRecord>> loadRun(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createStringError(File + ": " + Buffer.getError().message());
  auto Records = SavedRunReader((*Buffer)->getBuffer()).read();
  if (!Records)
    return createStringError(File + ": " + toString(Records.takeError()));
  return Records;
}

} // namespace gpuestimate
