/// \file
/// Remembers analyses by their inputs, so that a question that was asked before
/// is answered at once.
#ifndef GPU_ESTIMATE_LIB_SERVE_ANALYSISMEMORY_H
#define GPU_ESTIMATE_LIB_SERVE_ANALYSISMEMORY_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <list>
#include <memory>
#include <mutex>

namespace gpuestimate {

using SharedAnalysis = std::shared_ptr<const Analysis>;

/// An analysis is kept with the state (size and time of change) of every file
/// that it has read: sources, headers beside those of the SDK, configuration,
/// GPU models, compilation database. It is made again when one of them has
/// changed. The least recently used analyses are dropped. Any number of threads
/// may use it.
class AnalysisMemory {
public:
  /// MaxEstimates: of all analyses together; an estimate of a small kernel
  /// takes 5 kB (700 launches of saxpy through --jsonl: 3 MB).
  explicit AnalysisMemory(size_t MaxEstimates = 1000)
      : MaxEstimates(MaxEstimates) {}

  /// The analysis of the one source of O. Key stands for O: equal keys, equal
  /// options. Models are those of a comparison. Errors are those of the options
  /// or the compiler's, with its messages in lines of their own; they are not
  /// remembered.
  llvm::Expected<SharedAnalysis> analyse(const Options &O, llvm::StringRef Key,
                                         llvm::ArrayRef<std::string> Models);

  size_t hits() const;

private:
  struct FileState {
    std::string Path;
    uint64_t Bytes = 0;
    int64_t Changed = -1; ///< nanoseconds since 1970; -1: there is no file
    bool operator==(const FileState &) const = default;
  };
  struct Entry {
    std::string Key; ///< hashed
    SharedAnalysis Found;
    std::vector<FileState> Files;
    size_t Estimates = 1;
  };

  static FileState stateOf(llvm::StringRef Path);
  static std::vector<std::string> filesOf(const Options &O, const Analysis &A);
  SharedAnalysis find(llvm::StringRef Key);
  void keep(Entry New);

  const size_t MaxEstimates;
  mutable std::mutex Lock;  // of what follows
  std::list<Entry> Entries; ///< the most recently used first
  llvm::StringMap<std::list<Entry>::iterator> ByKey;
  size_t Estimates = 0, Hits = 0;
};

} // namespace gpuestimate

#endif
