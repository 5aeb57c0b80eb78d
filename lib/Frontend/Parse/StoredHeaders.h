/// \file
/// Precompiled headers that earlier processes have left in a folder of the
/// user, so that the first estimate of a process need not parse them.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_STOREDHEADERS_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_STOREDHEADERS_H

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace gpuestimate {

/// A header, or a folder that is searched for headers, as it was when the
/// headers were precompiled. A folder changes when a file in it comes or goes.
struct HeaderState {
  std::string Path; ///< absolute
  uint64_t Bytes = 0;
  int64_t Changed = 0; ///< nanoseconds since 1970; -1: there is no such file

  bool operator==(const HeaderState &) const = default;
};
HeaderState stateOf(llvm::StringRef Path);

/// The headers that the compiler has read, and the folders that it searches.
std::vector<HeaderState> headersRead(clang::CompilerInstance &Compiler);

/// A file holds the precompiled headers, then as JSON their HeaderStates and a
/// hash of all bytes before, then the size of that JSON. It is written under
/// another name and renamed, so that any number of processes may use the
/// folder.
class StoredHeaders {
public:
  /// In the user's cache folder ($XDG_CACHE_HOME/gpu-estimate/headers, else
  /// ~/.cache/gpu-estimate/headers). Where that cannot be made, or others than
  /// the user may write to it, nothing is stored and nothing is found.
  StoredHeaders();

  bool isUsable() const { return !Folder.empty(); }
  /// The precompiled headers of Key; null where there are none, or where one of
  /// the headers has changed since.
  std::unique_ptr<llvm::MemoryBuffer> find(llvm::StringRef Key) const;
  /// Failures leave the folder as it was: the headers are parsed again.
  void keep(llvm::StringRef Key, llvm::StringRef Precompiled,
            llvm::ArrayRef<HeaderState> States) const;

  /// The files that were not used for longest are deleted beyond this many. One
  /// has some MB.
  static constexpr size_t MaxFiles = 24;

private:
  std::string pathOf(llvm::StringRef Key) const;
  void deleteOldest() const;

  std::string Folder;
};

} // namespace gpuestimate

#endif
