/// \file
/// An analysis as an editor shows it: diagnostics, hover texts, inlay hints and
/// lenses of the Language Server Protocol.
#ifndef GPU_ESTIMATE_LIB_SERVE_EDITORANSWERS_H
#define GPU_ESTIMATE_LIB_SERVE_EDITORANSWERS_H

#include "AnalysisMemory.h"
#include "Documents.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuestimate {

/// An analysis of a document as it was when the analysis began.
struct AnalysedDocument {
  Document Source;
  SharedAnalysis Found;
  std::vector<std::string> Silenced; ///< groups of diagnostics

  const Analysis &result() const { return *Found; }
  /// Is a place one of the document's? Debug information names a file below the
  /// folder of the compilation by what follows that folder.
  bool has(const SourceLocation &At) const {
    llvm::StringRef Path = Source.Path;
    return At.isValid() && (Path == At.File || (!At.File.empty() &&
                                                Path.ends_with("/" + At.File)));
  }
};

/// Items of textDocument/publishDiagnostics.
llvm::json::Array editorDiagnostics(const AnalysedDocument &D,
                                    PositionUnit Unit);
/// What is known of a line, which counts from 1: of a kernel or of its launch
/// the estimates, of a line of its body the share of the time. Null: nothing.
llvm::json::Value hoverOf(const AnalysedDocument &D, unsigned Line);
/// "~410 us" at the end of each line of a kernel or launch.
llvm::json::Array inlayHints(const AnalysedDocument &D, PositionUnit Unit);
/// A line above each kernel for each GPU.
llvm::json::Array codeLenses(const AnalysedDocument &D, PositionUnit Unit);

} // namespace gpuestimate

#endif
