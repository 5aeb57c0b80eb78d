/// \file
/// The one table of everything that a GPU model file can say. A row names the
/// key (its path in the file, such as `l2.size`), what kind of quantity it is,
/// whether a file must have it, which values are believable, what it means,
/// and how to reach it in a GpuModel. Loading, `--set`, printing, writing and
/// the reference page all walk this table; nothing else lists keys.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_GPUMODELKEYS_H
#define GPU_ESTIMATE_MODEL_MACHINE_GPUMODELKEYS_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <variant>

namespace gpuestimate {

/// What a key's value is; decides the units that are accepted and printed.
enum class GpuDimension : uint8_t {
  Text,          ///< one line of text
  TextList,      ///< list of names
  Count,         ///< whole number without a unit
  Factor,        ///< number without a unit
  Flag,          ///< true or false
  PipeName,      ///< name of an execution pipe
  Extent,        ///< three whole numbers: x, y, z
  Cycles,        ///< "4 cycles"
  Bytes,         ///< "40 MiB"
  BytesList,     ///< list of sizes
  Frequency,     ///< "1410 MHz"
  Bandwidth,     ///< "1555 GB/s"
  BytesPerCycle, ///< "128 B/cycle"
  Time,          ///< "2.5 us"
  PerCycle,      ///< "64 /cycle"
};

/// A value in its base unit (bytes, hertz, bytes per second, seconds, ...).
using GpuValue = std::variant<double, bool, Pipe, std::string,
                              std::vector<double>, std::vector<std::string>>;

struct GpuKey {
  std::string Path;
  GpuDimension Dim = GpuDimension::Text;
  bool Required = true;
  bool Identity = false; ///< names the GPU: plain text, no source, not settable
  /// Believable range of each number, in base units.
  double Min = 0, Max = 0;
  std::string Meaning;
  /// Empty when the model has no value for this key.
  std::function<std::optional<GpuValue>(const GpuModel &)> Get;
  /// The value holds the alternative that belongs to Dim and is in range.
  std::function<void(GpuModel &, const GpuValue &)> Set;
};

/// All keys in the order in which files and tables list them.
llvm::ArrayRef<GpuKey> gpuKeys();

/// The key with exactly this path; null if there is none.
const GpuKey *findGpuKey(llvm::StringRef Path);

/// Kinds of provenance, from best to worst, with their meaning.
struct ProvenanceKind {
  llvm::StringRef Name, Meaning;
};
llvm::ArrayRef<ProvenanceKind> provenanceKinds();

/// What a value of this dimension looks like, for messages: "a number of
/// bytes such as '40 MiB'".
llvm::StringRef expectation(GpuDimension Dim);

/// Reads the text of one value and checks its unit and range; for the list
/// dimensions, items separated by commas. The message of an error says what
/// was expected and what was there, without the key.
llvm::Expected<GpuValue> parseGpuValue(const GpuKey &Key, llvm::StringRef Text);

/// The same for the list dimensions, with the items apart already.
llvm::Expected<GpuValue> parseGpuList(const GpuKey &Key,
                                      llvm::ArrayRef<std::string> Items);

/// A value for people, three digits with a unit.
std::string printGpuValue(const GpuKey &Key, const GpuValue &Value);

} // namespace gpuestimate

#endif
