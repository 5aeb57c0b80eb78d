/// \file
/// Keys of the files that describe machines (GPUs, CPUs, FPGA boards): what a
/// value may look like, how it is read with its unit, and how it is printed.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_MACHINEKEYS_H
#define GPU_ESTIMATE_MODEL_MACHINE_MACHINEKEYS_H

#include "gpu-estimate/Model/Machine/OpClass.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gpuestimate {

/// Kind of quantity of a key; decides the units that are read and printed.
enum class KeyDimension : uint8_t {
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
  Power,         ///< "250 W"
  Energy,        ///< "9.8 pJ"
  EnergyPerByte, ///< "31.8 pJ/B"
};

/// How a value of a GPU moves when the clocks are changed (Configuration.h).
enum class Scaling : uint8_t {
  ByUnit,      ///< as usualScaling() says
  Fixed,       ///< a size, count, share or clock-independent time: stays
  CoreCycles,  ///< in core cycles or per core cycle: the number stays
  CoreClock,   ///< in seconds of the core-clock domain: proportional to it
  MemoryClock, ///< proportional to the memory clock
  BeyondL2,    ///< core cycles, of which those beyond L2 are constant in time
  Dispatcher,  ///< as CoreCycles, or constant in time (launch.block_rate)
};

/// The scaling that the unit of a value implies; ByUnit where it implies none,
/// so that the key must state it: a bandwidth in bytes per second may belong to
/// any clock.
Scaling usualScaling(KeyDimension Dim);

/// For the reference page: "cycles stay", "with the core clock".
llvm::StringRef describe(Scaling Rule);

/// A value in its base unit (bytes, hertz, bytes per second, seconds, ...).
using KeyValue = std::variant<double, bool, Pipe, std::string,
                              std::vector<double>, std::vector<std::string>>;

/// Name and form of a value; the part of a key that no model type appears in.
struct MachineKey {
  std::string Path; ///< in the file, with dots: "l2.size"
  KeyDimension Dim = KeyDimension::Text;
  bool Required = true;
  bool Identity = false; ///< names the machine: plain text without a source
  /// Believable range of each number, in base units.
  double Min = 0, Max = 0;
  std::string Meaning;
  Scaling Moves = Scaling::ByUnit;
};

/// A key bound to a field of Model.
template <typename Model> struct KeyOf : MachineKey {
  /// Empty when the model has no value for this key.
  std::function<std::optional<KeyValue>(const Model &)> Get;
  /// The value holds the alternative that belongs to Dim and is in range.
  std::function<void(Model &, const KeyValue &)> Set;
};

/// Kinds of provenance, from best to worst, with their meaning.
struct ProvenanceKind {
  llvm::StringRef Name, Meaning;
};
llvm::ArrayRef<ProvenanceKind> provenanceKinds();

/// Form of a value for messages: "bytes such as '40 MiB'".
llvm::StringRef expectation(KeyDimension Dim);

/// Reads the text of one value and checks its unit and range; items of list
/// dimensions are separated by commas. The error says what was expected and
/// what was found, without the key.
llvm::Expected<KeyValue> parseKeyValue(const MachineKey &Key,
                                       llvm::StringRef Text);

/// Reads a value of a list dimension from its separate items.
llvm::Expected<KeyValue> parseKeyList(const MachineKey &Key,
                                      llvm::ArrayRef<std::string> Items);

/// A value for people, three digits with a unit.
std::string printKeyValue(const MachineKey &Key, const KeyValue &Value);

} // namespace gpuestimate

#endif
