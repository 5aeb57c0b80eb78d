/// \file
/// The headers that every source of one command line begins with, precompiled.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_HEADERCACHE_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_HEADERCACHE_H

#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/PrecompiledPreamble.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <memory>
#include <mutex>

namespace gpuestimate {

/// Safe to use from several threads.
class HeaderCache {
public:
  /// What the command line includes before the source (-include), precompiled
  /// now or earlier; null where it does not compile by itself. Key: the command
  /// line without the source.
  std::shared_ptr<const clang::PrecompiledPreamble>
  headers(const clang::CompilerInvocation &Invocation, llvm::StringRef Key,
          const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &Files);

private:
  struct Entry {
    std::string Key;
    std::shared_ptr<const clang::PrecompiledPreamble> Headers;
  };
  std::mutex Lock;
  llvm::SmallVector<Entry, 4> Entries; ///< the latest last
};

} // namespace gpuestimate

#endif
