/// \file
/// An analysis as compiler diagnostics: plain data that the plugin hands to
/// clang and the command line prints in clang's style.
#ifndef GPU_ESTIMATE_REPORT_DIAGNOSTICS_DIAGNOSTICS_H
#define GPU_ESTIMATE_REPORT_DIAGNOSTICS_DIAGNOSTICS_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Report/Diagnostics/DiagnosticTable.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

struct DiagnosticNote {
  SourceLocation Location; ///< invalid: the place of the diagnostic
  std::string Text;
};

struct Diagnostic {
  DiagnosticGroup Group = DiagnosticGroup::Time;
  DiagnosticSeverity Severity = DiagnosticSeverity::Remark;
  SourceLocation Location; ///< invalid: about no place in the source
  std::string Text;        ///< without the group's name
  std::vector<DiagnosticNote> Notes;
  std::string Function = {}; ///< mangled name of its kernel, if it has one

  /// Text with " [-Wgpu-estimate-time]" appended.
  std::string textWithGroup() const;
};

/// Every finding, in order of the estimates. Silenced holds group names
/// ("assumption": notes about assumptions; "all": everything).
std::vector<Diagnostic> diagnose(const Analysis &A,
                                 llvm::ArrayRef<std::string> Silenced);

/// "file:line:column: remark: text [-Wgpu-estimate-time]", notes after it.
void printDiagnostics(llvm::raw_ostream &OS,
                      llvm::ArrayRef<Diagnostic> Diagnostics);

} // namespace gpuestimate

#endif
