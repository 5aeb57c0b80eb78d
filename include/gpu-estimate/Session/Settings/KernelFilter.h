/// \file
/// The kernels that `--kernel REGEX` asks for.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_KERNELFILTER_H
#define GPU_ESTIMATE_SESSION_SETTINGS_KERNELFILTER_H

#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/Regex.h"

namespace gpuestimate {

class KernelFilter {
public:
  explicit KernelFilter(const Options &O)
      : All(O.KernelRegex.empty()), Wanted(O.KernelRegex) {}

  /// The expression is found in the demangled or the mangled name.
  bool matches(llvm::StringRef Mangled, llvm::StringRef Name) const {
    return All || Wanted.match(Name) || Wanted.match(Mangled);
  }

private:
  bool All;
  llvm::Regex Wanted;
};

} // namespace gpuestimate

#endif
