#include "gpu-estimate/ForeignIr/TritonMetadata.h"

#include "gpu-estimate/Support/JsonObject.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// Threads of a block on every GPU that Triton compiles for, bytes of shared
/// memory that none of them has, and blocks of a cluster where the kernel opts
/// in to sizes that are not portable (CUDA programming guide, "Thread Block
/// Clusters").
constexpr int64_t MaxBlockThreads = 1024, MaxBlockSharedBytes = 1 << 20,
                  MaxClusterBlocks = 16, MaxRegisters = 512;

class MetadataReader {
public:
  explicit MetadataReader(const json::Object &File) : File(File) {}

  TritonMetadata run();

private:
  std::optional<int64_t> number(StringRef Key, int64_t Least, int64_t Most);
  void refuse(StringRef Key, const json::Value &Value, StringRef Expected);
  unsigned target();
  void cluster();

  const json::Object &File;
  TritonMetadata Read;
};

} // namespace

void MetadataReader::refuse(StringRef Key, const json::Value &Value,
                            StringRef Expected) {
  constexpr size_t MaxShown = 40;
  std::string Shown = formatv("{0}", Value);
  if (Shown.size() > MaxShown)
    Shown = Shown.substr(0, MaxShown) + "...";
  Read.Problem +=
      formatv("{0}'{1}' is {2}, expected {3}", Read.Problem.empty() ? "" : "; ",
              Key, Shown, Expected);
}

/// The number of a key; nothing if there is none that can be true.
std::optional<int64_t> MetadataReader::number(StringRef Key, int64_t Least,
                                              int64_t Most) {
  const json::Value *Value = File.get(Key);
  if (!Value)
    return std::nullopt;
  std::optional<int64_t> Number = Value->getAsInteger();
  if (Number && *Number >= Least && *Number <= Most)
    return Number;
  refuse(Key, *Value, formatv("a number from {0} to {1}", Least, Most).str());
  return std::nullopt;
}

/// Reads the target, {"backend": "cuda", "arch": 90, "warp_size": 32}, in older
/// versions ["cuda", 90]. Returns the threads of a warp.
unsigned MetadataReader::target() {
  const json::Value *Arch = nullptr, *WarpSize = File.get("warp_size");
  if (const json::Object *Target = File.getObject("target")) {
    Arch = Target->get("arch");
    if (const json::Value *Own = Target->get("warp_size"))
      WarpSize = Own;
  } else if (const json::Array *Pair = File.getArray("target");
             Pair && Pair->size() >= 2) {
    Arch = &(*Pair)[1];
  }
  constexpr int64_t OldestArch = 10, NewestArch = 999;
  std::optional<int64_t> Number = Arch ? Arch->getAsInteger() : std::nullopt;
  std::optional<StringRef> Text = Arch ? Arch->getAsString() : std::nullopt;
  if (Number && *Number >= OldestArch && *Number <= NewestArch)
    Read.Target = "sm_" + std::to_string(*Number);
  else if (Text && Text->starts_with("gfx")) // "gfx942:sramecc+:xnack-"
    Read.Target = Text->split(':').first.take_while(isAlnum).str();
  std::optional<int64_t> Threads =
      WarpSize ? WarpSize->getAsInteger() : std::nullopt;
  if (Threads && (*Threads == 32 || *Threads == 64))
    return *Threads;
  if (WarpSize)
    refuse("warp_size", *WarpSize, "32 or 64");
  return StringRef(Read.Target).starts_with("gfx9") ? 64 : 32;
}

/// Reads the blocks of a cluster: along each axis in the versions that state
/// it, else all along x.
void MetadataReader::cluster() {
  std::optional<int64_t> Count = number("num_ctas", 1, MaxClusterBlocks);
  if (Count && *Count > 1)
    Read.Cluster = {static_cast<unsigned>(*Count), 1, 1};
  const json::Value *Value = File.get("cluster_dims");
  if (!Value)
    return;
  std::array<unsigned, 3> Sizes = {};
  int64_t Blocks = 1;
  const json::Array *List = Value->getAsArray();
  for (size_t I = 0; List && List->size() == 3 && I < 3; ++I) {
    int64_t Size = (*List)[I].getAsInteger().value_or(0);
    Sizes[I] = Size >= 1 && Size <= MaxClusterBlocks ? Size : 0;
    Blocks *= Sizes[I];
  }
  if (!List || List->size() != 3 || Blocks < 1 || Blocks > MaxClusterBlocks)
    refuse(
        "cluster_dims", *Value,
        formatv("three sizes of at most {0} blocks", MaxClusterBlocks).str());
  else if (Blocks > 1)
    Read.Cluster = Sizes;
}

TritonMetadata MetadataReader::run() {
  Read.Kernel = File.getString("name").value_or("").str();
  unsigned WarpSize = target();
  if (auto Warps = number("num_warps", 1, MaxBlockThreads / WarpSize))
    Read.ThreadsPerBlock = *Warps * WarpSize;
  if (auto Bytes = number("shared", 0, MaxBlockSharedBytes))
    Read.DynamicSharedBytes = *Bytes;
  cluster();
  if (auto Registers = number("registers", 1, MaxRegisters))
    Read.Registers = *Registers;
  if (const json::Array *Names = File.getArray("parameter_names"))
    for (const json::Value &Name : *Names)
      Read.Parameters.push_back(Name.getAsString().value_or("").str());
  if (!Read.Problem.empty())
    Read.Problem += ": these values are ignored; give --block and "
                    "--dynamic-smem, or compile the kernel again";
  return std::move(Read);
}

std::optional<TritonMetadata> readTritonMetadata(StringRef Text) {
  Expected<json::Object> File = parseJsonObject(Text);
  if (!File) {
    TritonMetadata Broken;
    Broken.Problem = "it is broken JSON (" + toString(File.takeError()) +
                     ") and ignored; give --block and --dynamic-smem, or "
                     "compile the kernel again";
    return Broken;
  }
  if (!File->get("num_warps"))
    return std::nullopt;
  return MetadataReader(*File).run();
}

} // namespace gpuestimate
