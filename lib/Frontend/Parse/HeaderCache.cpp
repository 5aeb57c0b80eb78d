#include "HeaderCache.h"

#include "gpu-estimate/Frontend/Frontend.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/Support/MemoryBuffer.h"

namespace gpuestimate {

/// Command lines whose headers are kept: a source for each of some GPUs, each
/// with a few sets of macros. An entry takes some MiB.
static constexpr size_t MaxEntries = 16;

/// The source itself takes no part: its own includes may hold annotations,
/// which are found while they are read.
static const clang::PreambleBounds NoBytes(0, true);

static std::unique_ptr<llvm::MemoryBuffer> nothing() {
  return llvm::MemoryBuffer::getMemBuffer("");
}

void PrecompiledHeaders::use(clang::CompilerInvocation &Invocation,
                             FileSystem &Files,
                             llvm::MemoryBuffer *Source) const {
  if (Own)
    return Own->AddImplicitPreamble(Invocation, Files, Source);
  // As clang does with its own; that the headers are unchanged was checked.
  static constexpr llvm::StringLiteral Name = "/gpu-estimate-headers.pch";
  clang::PreprocessorOptions &Options = Invocation.getPreprocessorOpts();
  Options.addRemappedFile(Invocation.getFrontendOpts().Inputs[0].getFile(),
                          Source);
  Options.PrecompiledPreambleBytes = {NoBytes.Size,
                                      NoBytes.PreambleEndsAtStartOfLine};
  Options.DisablePCHOrModuleValidation =
      clang::DisableValidationForModuleKind::PCH;
  Options.ImplicitPCHInclude = Name.str();
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  Memory->addFileNoOwn(Name, /*ModificationTime=*/0, Stored->getMemBufferRef());
  auto All = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(Files);
  All->pushOverlay(Memory);
  Files = All;
}

bool PrecompiledHeaders::isCurrent(const clang::CompilerInvocation &Invocation,
                                   llvm::vfs::FileSystem &Files) const {
  // Headers of an earlier process were checked when they were read.
  return !Own || Own->CanReuse(Invocation, nothing()->getMemBufferRef(),
                               NoBytes, Files);
}

std::string
PrecompiledHeaders::bytes(const clang::CompilerInvocation &Invocation,
                          FileSystem Files) const {
  clang::CompilerInvocation Copy(Invocation);
  std::unique_ptr<llvm::MemoryBuffer> Source = nothing();
  use(Copy, Files, Source.get());
  auto Buffer = Files->getBufferForFile(
      Copy.getPreprocessorOpts().ImplicitPCHInclude,
      /*FileSize=*/-1, /*RequiresNullTerminator=*/false);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

namespace {
/// Notes which headers are read.
class ReadHeaders : public clang::PreambleCallbacks {
public:
  void AfterExecute(clang::CompilerInstance &Compiler) override {
    States = headersRead(Compiler);
  }
  std::vector<HeaderState> States;
};
} // namespace

std::shared_ptr<const PrecompiledHeaders>
HeaderCache::build(const clang::CompilerInvocation &Invocation,
                   llvm::StringRef Key, const FileSystem &Files) {
  if (Store)
    if (std::unique_ptr<llvm::MemoryBuffer> Found = Store->find(Key))
      return std::make_shared<const PrecompiledHeaders>(std::move(Found));
  // The compiler shares it.
  auto Silent = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      new clang::DiagnosticIDs, new clang::DiagnosticOptions,
      new clang::IgnoringDiagConsumer);
  ReadHeaders Read;
  llvm::ErrorOr<clang::PrecompiledPreamble> Built =
      clang::PrecompiledPreamble::Build(
          Invocation, nothing().get(), NoBytes, *Silent, Files,
          std::make_shared<clang::PCHContainerOperations>(),
          /*StoreInMemory=*/true, /*StoragePath=*/"", Read);
  if (!Built)
    return nullptr;
  auto Result = std::make_shared<const PrecompiledHeaders>(std::move(*Built));
  if (Store)
    Store->keep(Key, Result->bytes(Invocation, Files), Read.States);
  return Result;
}

std::shared_ptr<const PrecompiledHeaders>
HeaderCache::headers(const clang::CompilerInvocation &Invocation,
                     llvm::StringRef Key, const FileSystem &Files,
                     bool MayStore) {
  if (Store && !(MayStore && Store->isUsable()))
    return nullptr;
  std::lock_guard Held(Lock);
  auto *Found =
      llvm::find_if(Entries, [&](const Entry &E) { return E.Key == Key; });
  if (Found != Entries.end()) {
    if (!Found->Headers || Found->Headers->isCurrent(Invocation, *Files))
      return Found->Headers;
    Entries.erase(Found);
  }
  if (Entries.size() == MaxEntries)
    Entries.erase(Entries.begin());
  Entry &New = Entries.emplace_back();
  New.Key = Key.str();
  New.Headers = build(Invocation, Key, Files);
  return New.Headers;
}

std::shared_ptr<HeaderCache> createHeaderCache() {
  return std::make_shared<HeaderCache>(/*Stores=*/false);
}

std::shared_ptr<HeaderCache> createStoredHeaderCache() {
  return std::make_shared<HeaderCache>(/*Stores=*/true);
}

} // namespace gpuestimate
