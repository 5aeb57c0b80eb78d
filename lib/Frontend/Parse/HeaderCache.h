/// \file
/// The headers that every source of one command line begins with, precompiled.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_HEADERCACHE_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_HEADERCACHE_H

#include "StoredHeaders.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/PrecompiledPreamble.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <memory>
#include <mutex>
#include <optional>

namespace gpuestimate {

using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

/// Either clang's, of this process, or those of an earlier one.
class PrecompiledHeaders {
public:
  explicit PrecompiledHeaders(clang::PrecompiledPreamble Own)
      : Own(std::move(Own)) {}
  explicit PrecompiledHeaders(std::unique_ptr<llvm::MemoryBuffer> Stored)
      : Stored(std::move(Stored)) {}

  /// Makes the compilation of Source, whose text stays owned by the caller,
  /// begin with them.
  void use(clang::CompilerInvocation &Invocation, FileSystem &Files,
           llvm::MemoryBuffer *Source) const;
  /// Are the headers as they were?
  bool isCurrent(const clang::CompilerInvocation &Invocation,
                 llvm::vfs::FileSystem &Files) const;
  /// The bytes that a later process can use.
  std::string bytes(const clang::CompilerInvocation &Invocation,
                    FileSystem Files) const;

private:
  std::optional<clang::PrecompiledPreamble> Own;
  std::unique_ptr<llvm::MemoryBuffer> Stored;
};

/// Safe to use from several threads.
class HeaderCache {
public:
  /// Stores: headers are those of earlier processes where there are some, and
  /// are left to later ones.
  explicit HeaderCache(bool Stores) {
    if (Stores)
      Store.emplace();
  }

  /// What the command line includes before the source (-include), precompiled
  /// now or earlier; null where it does not compile by itself. Key: the command
  /// line without the source. MayStore: false for command lines that are not
  /// likely to be used again; a cache that stores then does nothing.
  std::shared_ptr<const PrecompiledHeaders>
  headers(const clang::CompilerInvocation &Invocation, llvm::StringRef Key,
          const FileSystem &Files, bool MayStore);

private:
  struct Entry {
    std::string Key;
    std::shared_ptr<const PrecompiledHeaders> Headers;
  };
  std::shared_ptr<const PrecompiledHeaders>
  build(const clang::CompilerInvocation &Invocation, llvm::StringRef Key,
        const FileSystem &Files);

  std::optional<StoredHeaders> Store;
  std::mutex Lock;
  llvm::SmallVector<Entry, 4> Entries; ///< the latest last
};

} // namespace gpuestimate

#endif
