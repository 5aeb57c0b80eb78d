#include "HeaderCache.h"

#include "gpu-estimate/Frontend/Frontend.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/Support/MemoryBuffer.h"

namespace gpuestimate {

/// Command lines whose headers are kept: a source for each of some GPUs, each
/// with a few sets of macros. An entry takes some MiB.
static constexpr size_t MaxEntries = 16;

std::shared_ptr<const clang::PrecompiledPreamble> HeaderCache::headers(
    const clang::CompilerInvocation &Invocation, llvm::StringRef Key,
    const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &Files) {
  // The source itself takes no part: its own includes may hold annotations,
  // which are found while they are read.
  std::unique_ptr<llvm::MemoryBuffer> Nothing =
      llvm::MemoryBuffer::getMemBuffer("");
  const clang::PreambleBounds Bounds(0, true);
  std::lock_guard Held(Lock);
  auto *Found =
      llvm::find_if(Entries, [&](const Entry &E) { return E.Key == Key; });
  if (Found != Entries.end()) {
    if (!Found->Headers ||
        Found->Headers->CanReuse(Invocation, Nothing->getMemBufferRef(), Bounds,
                                 *Files))
      return Found->Headers;
    Entries.erase(Found);
  }
  if (Entries.size() == MaxEntries)
    Entries.erase(Entries.begin());
  // The compiler shares it.
  auto Silent = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      new clang::DiagnosticIDs, new clang::DiagnosticOptions,
      new clang::IgnoringDiagConsumer);
  clang::PreambleCallbacks NoCallbacks;
  llvm::ErrorOr<clang::PrecompiledPreamble> Built =
      clang::PrecompiledPreamble::Build(
          Invocation, Nothing.get(), Bounds, *Silent, Files,
          std::make_shared<clang::PCHContainerOperations>(),
          /*StoreInMemory=*/true, /*StoragePath=*/"", NoCallbacks);
  Entry &New = Entries.emplace_back();
  New.Key = Key.str();
  if (Built)
    New.Headers =
        std::make_shared<const clang::PrecompiledPreamble>(std::move(*Built));
  return New.Headers;
}

std::shared_ptr<HeaderCache> createHeaderCache() {
  return std::make_shared<HeaderCache>();
}

} // namespace gpuestimate
