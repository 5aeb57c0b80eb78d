/// \file
/// Launches that a file tells, in place of those of host code (`--launches`):
/// what a profiler or a trace has recorded of a program, or a table that a user
/// writes (docs/launches.md lists what is read).
///
///   kernel,grid,block,n,time_us,count
///   scale,4096,256,1048576,6.1,100
///
/// Sizes and times are in the units that the file names; the records below have
/// blocks, threads, bytes and seconds.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_LAUNCHFILE_H
#define GPU_ESTIMATE_SESSION_SETTINGS_LAUNCHFILE_H

#include "gpu-estimate/Session/Settings/Options.h"
#include "gpu-estimate/Support/Units.h"

namespace gpuestimate {

/// One launch, or Count launches of one kernel that are alike.
struct RecordedLaunch {
  std::string Kernel;     ///< as the file has it: mangled, or printed
  LaunchSettings Sizes;   ///< nothing in what the file does not tell
  NamedValues Parameters; ///< by name, where the file has them
  /// The bytes of each argument, of a saved run. Empty in all other files.
  std::vector<std::string> ArgumentBytes;
  /// Shared memory of a block, static and dynamic together, where the file has
  /// only the sum.
  std::optional<uint64_t> SharedBytes;
  double Count = 1;
  std::optional<Seconds> Time; ///< mean of the Count launches
  std::string Device;          ///< the card's name; "" where it is not told
  unsigned Line = 0;           ///< in the file, from 1; 0 where it has no lines

  /// Time of all launches; 0 if it is not known.
  Seconds total() const { return Time ? *Time * Count : Seconds(); }
};

/// What has measured the times of a file.
enum class TimedBy : uint8_t {
  Unknown,  ///< a harness that the file does not name
  Timeline, ///< a tracing profiler: the program runs as usual
  Counters, ///< ncu: each launch alone, with its caches flushed before it
};

struct LaunchFile {
  std::string File;
  TimedBy By = TimedBy::Unknown;
  /// The longest total time first; alike launches are one.
  std::vector<RecordedLaunch> Launches = {};

  /// The one card that all launches with a card are of; "" if there is none or
  /// more than one.
  std::string device() const;
};

/// Reads a file by its contents. Errors say "file:line:column: " where there is
/// a place, and what was expected.
llvm::Expected<LaunchFile> readLaunchFile(llvm::StringRef File);

/// Reads launches from the text of a file: CSV, YAML or JSON.
llvm::Expected<LaunchFile> parseLaunchFile(llvm::StringRef File,
                                           llvm::StringRef Text);

} // namespace gpuestimate

#endif
