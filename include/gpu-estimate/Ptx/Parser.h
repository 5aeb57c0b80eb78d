/// \file
/// Text of PTX to its syntax tree.
#ifndef GPU_ESTIMATE_PTX_PARSER_H
#define GPU_ESTIMATE_PTX_PARSER_H

#include "gpu-estimate/Ptx/Syntax.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// The syntax tree of Text, which must outlive it. Fails with the line, what
/// was expected and what is there. Directives that change neither code nor
/// memory are skipped.
llvm::Expected<PtxFile> parsePtx(llvm::StringRef Text);

/// The statements of Text, which must outlive it: what may stand between the
/// braces of a function. The last one needs no semicolon.
llvm::Expected<PtxFunction> parsePtxStatements(llvm::StringRef Text);

} // namespace gpuestimate

#endif
