/// \file
/// Values as users write them: sizes of a grid, numbers, NAME=VALUE. Shared by
/// the command line, the plugin arguments, annotations and the configuration.
/// Every error is a UsageError that says what was expected.
#ifndef GPU_ESTIMATE_DRIVER_PARSEVALUE_H
#define GPU_ESTIMATE_DRIVER_PARSEVALUE_H

#include "gpu-estimate/Driver/Options.h"

namespace gpuestimate {

/// "64", "64,32", "64,32,2" (also with 'x'); missing sizes are 1, all >= 1.
llvm::Expected<std::array<uint64_t, 3>> parseSizes(llvm::StringRef Text);

/// A finite number: decimal, with exponent, or 0x hexadecimal.
llvm::Expected<double> parseNumber(llvm::StringRef Text);

/// A non-negative integer below 2^53.
llvm::Expected<uint64_t> parseInteger(llvm::StringRef Text);

/// "NAME=VALUE", split at the last '=' so that a name may hold one.
llvm::Expected<std::pair<std::string, double>>
parseNamedValue(llvm::StringRef Text);

/// "grid=64,32 block=256 dynamic_smem=0 param n=4096": what stands after
/// "gpu_estimate:" in an annotation. Items are separated by blanks, ';' or a
/// comma before the next key.
struct AnnotationSettings {
  LaunchSettings Launch;
  NamedValues Parameters;
};
llvm::Expected<AnnotationSettings> parseAnnotation(llvm::StringRef Text);

} // namespace gpuestimate

#endif
