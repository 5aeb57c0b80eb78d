/// \file
/// Values of names in annotations.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_SOURCE_CONSTANTS_H
#define GPU_ESTIMATE_LIB_FRONTEND_SOURCE_CONSTANTS_H

#include "llvm/ADT/StringMap.h"
#include <optional>

namespace clang {
class ASTContext;
class Preprocessor;
} // namespace clang

namespace gpuestimate {

/// Looks up macros (as defined at the end of the file), constants and
/// enumerators of namespaces.
class ConstantNames {
public:
  ConstantNames(clang::Preprocessor &PP, clang::ASTContext &Context)
      : PP(PP), Context(Context) {}

  /// Adds the names in Text that have a value.
  void resolve(llvm::StringRef Text, llvm::StringMap<double> &Into);

private:
  std::optional<double> value(llvm::StringRef Name, unsigned Depth);
  std::optional<double> macro(llvm::StringRef Name, unsigned Depth);
  std::optional<double> declared(llvm::StringRef Name);

  clang::Preprocessor &PP;
  clang::ASTContext &Context;
};

} // namespace gpuestimate

#endif
