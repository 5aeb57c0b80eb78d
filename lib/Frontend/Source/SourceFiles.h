/// \file
/// The files that clang has read for a translation unit.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_SOURCE_SOURCEFILES_H
#define GPU_ESTIMATE_LIB_FRONTEND_SOURCE_SOURCEFILES_H

#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class SourceManager;
} // namespace clang

namespace gpuestimate {

/// Absolute paths in alphabetical order, headers included.
std::vector<std::string> filesRead(clang::CompilerInstance &Compiler);

/// The name of the main file as it was given; "<stdin>" without one.
std::string mainFileOf(const clang::SourceManager &Sources);

} // namespace gpuestimate

#endif
