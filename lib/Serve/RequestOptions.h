/// \file
/// The parameters of a request as options of an analysis.
#ifndef GPU_ESTIMATE_LIB_SERVE_REQUESTOPTIONS_H
#define GPU_ESTIMATE_LIB_SERVE_REQUESTOPTIONS_H

#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/JSON.h"

namespace gpuestimate {

/// Options that a request can set: those of `gpu-estimate analyze` that are not
/// about its output.
bool isRequestOption(const OptionSpec &Spec);
/// "dynamic_smem" of "--dynamic-smem".
std::string parameterName(const OptionSpec &Spec);

/// Applies the parameters that are options: each has the name of its option; a
/// string, a number, true, an array of them for several, or an object for
/// name=value. "args" are arguments of clang. GPUs replace those of O. Errors
/// are UsageErrors.
llvm::Error applyParameters(Options &O, const llvm::json::Object &Parameters);

/// A copy of Of without these properties. (A json::Object from which something
/// was erased cannot be copied in LLVM 19: the erased key keeps its string, and
/// is copied as if it were one.)
llvm::json::Object without(const llvm::json::Object &Of,
                           llvm::ArrayRef<llvm::StringRef> Names);

/// Defaults with the parameters of a request. "file" names the source, "source"
/// is its text where it is not on disk, "language" what a source without a name
/// is written in; the others are for applyParameters(). Errors are UsageErrors.
llvm::Expected<Options> requestOptions(const Options &Defaults,
                                       const llvm::json::Object &Parameters);

} // namespace gpuestimate

#endif
