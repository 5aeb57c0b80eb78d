/// \file
/// `gpu-estimate serve`: one resident process that answers many requests.
#ifndef GPU_ESTIMATE_SERVE_SERVE_H
#define GPU_ESTIMATE_SERVE_SERVE_H

#include "gpu-estimate/Session/Pipeline/ExitStatus.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Serves standard input in the protocol of the options until it ends. Answers
/// go to Out, one line each, as soon as they are known.
ExitStatus runServe(const Options &O, llvm::raw_ostream &Out,
                    llvm::raw_ostream &Err);

} // namespace gpuestimate

#endif
