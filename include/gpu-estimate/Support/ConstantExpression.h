/// \file
/// Constant expressions of C that users write for a number: `1 << 20`, `4 *
/// TILE + 1`, `0x400`, `1e-3`. Integers have 64 bits; an operation with a real
/// operand is a real operation, as in C.
///
///   || && | ^ & == != < > <= >= << >> + - * / % and unary + - ! ~, brackets,
///   numbers with the suffixes u l f
#ifndef GPU_ESTIMATE_SUPPORT_CONSTANTEXPRESSION_H
#define GPU_ESTIMATE_SUPPORT_CONSTANTEXPRESSION_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace gpuestimate {

/// The value of a name (a macro, a constant), if it has one.
using ConstantLookup =
    llvm::function_ref<std::optional<double>(llvm::StringRef Name)>;

/// Evaluates Text. Errors: unexpected text, an overflow, a division by zero, a
/// name without a value.
llvm::Expected<double> evaluateConstant(llvm::StringRef Text,
                                        ConstantLookup Lookup);

/// Evaluates Text, which must not contain names.
llvm::Expected<double> evaluateConstant(llvm::StringRef Text);

} // namespace gpuestimate

#endif
