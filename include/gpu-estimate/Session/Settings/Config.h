/// \file
/// `.gpu-estimate.yaml`: what a project says once instead of on every command
/// line. Its keys are those of the option table; `kernels` is a list of entries
/// about the kernels that a regular expression matches as a whole:
///
///   gpu: nvidia-a100-40gb-pcie
///   caches: cold
///   param: {n: 4096}
///   kernels:
///     - kernel: matmul.*
///       file: src/*.cu
///       grid: [64, 64]
///       block: [16, 16]
///       param: {n: 1024}
///       assume: {"trip@matmul:k": 64}
///       budget: {nvidia-h200: 1.5 ms}
///       no-warning: [occupancy]
///
/// All entries that match a kernel hold for it; of one setting, the first entry
/// that states it.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_CONFIG_H
#define GPU_ESTIMATE_SESSION_SETTINGS_CONFIG_H

#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

/// NAME (of an argument or unknown) -> where the file says it.
using NamePlaces = llvm::StringMap<SourceLocation>;

/// An entry of `kernels`.
struct ConfigEntry {
  std::string KernelRegex = ".*";
  /// Glob of the source files that it is about, relative to the folder of the
  /// configuration file; without '/' it is about a file's last component.
  std::string FileGlob;
  Options Values;
  SourceLocation Place;
  NamePlaces Places;
};

struct Config {
  std::string File; ///< empty: there is none
  Options Values;
  NamePlaces Places; ///< of Values
  std::vector<ConfigEntry> Kernels;
};

/// The nearest `.gpu-estimate.yaml` in the folder of SourceFile or one above
/// it; empty when there is none.
std::string findConfig(llvm::StringRef SourceFile);

/// Errors are UsageErrors that begin with "file:line:column:".
llvm::Expected<Config> loadConfig(llvm::StringRef File);

/// The keys of an entry of `kernels` beside those of the option table.
struct EntryKey {
  llvm::StringLiteral Name, Help;
};
llvm::ArrayRef<EntryKey> entryKeys();

/// Is the entry about this source file?
bool isAboutFile(const ConfigEntry &Entry, const Config &C,
                 llvm::StringRef SourceFile);

/// Given, completed by what only From says.
Options merge(Options Given, const Options &From);

/// docs/config.md, and a JSON schema of the file for editors; both are made
/// from the option table.
std::string configReference();
std::string configSchema();

/// "file:12:3".
std::string spell(const SourceLocation &Place);

/// Entries, and names in them, that mean nothing to any analysed kernel: for
/// each of which every source file that it may be about was analysed. These
/// are the files below the folder of the configuration that the entry's `file`
/// matches; without `file`, those with the extensions .cu and .hip and the
/// ones of the analysed files. Used holds the places that meant something.
std::vector<Notice> unusedSettings(const Config &C,
                                   llvm::ArrayRef<std::string> Analysed,
                                   llvm::ArrayRef<std::string> Used);

} // namespace gpuestimate

#endif
