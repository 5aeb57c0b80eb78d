/// \file
/// Hands our diagnostics to clang.
#ifndef GPU_ESTIMATE_CLANG_PLUGIN_PLUGINDIAGNOSTICS_H
#define GPU_ESTIMATE_CLANG_PLUGIN_PLUGINDIAGNOSTICS_H

#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace gpuestimate {

/// Emits each diagnostic with its notes at its place in the source. Warnings
/// follow -w; being custom ones of clang they become no errors by -Werror.
void emitDiagnostics(clang::CompilerInstance &Compiler,
                     llvm::ArrayRef<Diagnostic> Diagnostics);

/// An error without a place: the arguments of the plugin are at fault.
void emitUsageError(clang::CompilerInstance &Compiler, llvm::StringRef Text);

void emitRemark(clang::CompilerInstance &Compiler, llvm::StringRef Text);
/// At the start of the main file.
void emitFileRemark(clang::CompilerInstance &Compiler, llvm::StringRef Text);

/// Groups that the compile command silences: -Wno-gpu-estimate-time gives
/// "time", -Wno-gpu-estimate gives "all".
std::vector<std::string> silencedGroups(clang::CompilerInstance &Compiler);

/// Groups of -Werror=gpu-estimate-GROUP options.
std::vector<std::string> errorGroups(clang::CompilerInstance &Compiler);

} // namespace gpuestimate

#endif
