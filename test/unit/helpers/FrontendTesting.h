/// \file
/// Parses CUDA text with our own headers, and looks launches up.
#ifndef GPU_ESTIMATE_TEST_UNIT_FRONTENDTESTING_H
#define GPU_ESTIMATE_TEST_UNIT_FRONTENDTESTING_H

#include "gpu-estimate/Frontend/Frontend.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace gpuestimate {

/// A file that lives as long as the object.
class TemporaryFile {
public:
  TemporaryFile(llvm::StringRef Text, llvm::StringRef Suffix = "cu") {
    llvm::SmallString<128> Name;
    int Descriptor = -1;
    llvm::sys::fs::createTemporaryFile("frontend-test", Suffix, Descriptor,
                                       Name);
    llvm::raw_fd_ostream(Descriptor, /*shouldClose=*/true) << Text;
    Path = Name.str().str();
  }
  ~TemporaryFile() { llvm::sys::fs::remove(Path); }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  std::string Path;
};

/// Our headers, precompiled once for a test program.
inline HeaderCache *sharedHeaders() {
  static const std::shared_ptr<HeaderCache> Headers = createHeaderCache();
  return Headers.get();
}

/// Fails the test with clang's diagnostics when the text does not parse.
inline TranslationUnit parseText(llvm::StringRef Text,
                                 std::vector<std::string> ClangArgs = {},
                                 llvm::StringRef Suffix = "cu") {
  TemporaryFile File(Text, Suffix);
  ParseRequest Request;
  Request.File = File.Path;
  Request.NoCudaSdk = true;
  Request.ClangArgs = std::move(ClangArgs);
  Request.Headers = sharedHeaders();
  std::string Diagnostics;
  auto Unit = parse(Request, Diagnostics);
  if (!Unit) {
    ADD_FAILURE() << llvm::toString(Unit.takeError()) << "\n" << Diagnostics;
    return {};
  }
  return std::move(*Unit);
}

inline std::string text(Expr E) { return E ? E.str() : "null"; }

/// "<grid> <block> shared" of one launch, without the ",1" of unused sizes.
inline std::string shape(const LaunchSite &Site) {
  auto sizes = [](const std::array<Expr, 3> &S) {
    std::string Result = "<" + text(S[0]);
    bool Third = !S[2] || !S[2].isConstant(1);
    if (Third || !S[1] || !S[1].isConstant(1))
      Result += ", " + text(S[1]);
    if (Third)
      Result += ", " + text(S[2]);
    return Result + ">";
  };
  std::string Result = sizes(Site.Grid) + " " + sizes(Site.Block);
  if (!Site.DynamicSharedBytes || !Site.DynamicSharedBytes.isConstant(0))
    Result += " " + text(Site.DynamicSharedBytes);
  return Result;
}

/// The launches of the kernel whose source name is given, in order.
inline std::vector<const LaunchSite *> launchesOf(const TranslationUnit &Unit,
                                                  llvm::StringRef Kernel) {
  std::vector<const LaunchSite *> Result;
  for (const KernelSource &K : Unit.Kernels)
    if (K.Name == Kernel)
      for (const LaunchSite &Site : Unit.Launches)
        if (Site.Kernel == K.Mangled)
          Result.push_back(&Site);
  return Result;
}

/// The only launch of a kernel; fails the test when there are none or several.
inline const LaunchSite &launchOf(const TranslationUnit &Unit,
                                  llvm::StringRef Kernel) {
  static const LaunchSite None;
  auto All = launchesOf(Unit, Kernel);
  EXPECT_EQ(All.size(), 1u) << "launches of " << Kernel.str();
  return All.empty() ? None : *All.front();
}

inline std::string argument(const LaunchSite &Site, llvm::StringRef Name) {
  auto It = Site.Arguments.find(Name);
  return It == Site.Arguments.end() ? "none" : text(It->second);
}

} // namespace gpuestimate

#endif
