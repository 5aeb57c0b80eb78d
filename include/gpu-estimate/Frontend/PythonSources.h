/// \file
/// CUDA in the strings of a Python file: PyTorch's load_inline, CuPy's
/// RawKernel and RawModule, PyCUDA's SourceModule.
#ifndef GPU_ESTIMATE_FRONTEND_PYTHONSOURCES_H
#define GPU_ESTIMATE_FRONTEND_PYTHONSOURCES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// A string constant with a kernel.
struct PythonSource {
  /// The value of the constant, laid out so that the compiler finds each line
  /// of it under the number that it has in the Python file, and, up to escape
  /// sequences, each character in its column.
  std::string Text;
  unsigned Line = 0; ///< of its first character, from 1
  /// Why Text is not the whole source: a part of an f-string is an expression.
  /// "" where it is.
  std::string Missing;
};

/// Finds the string constants that define a kernel (`__global__`), in their
/// order. Adjacent literals, and literals with `+` between them, are one
/// constant; prefixes, triple quotes and escape sequences are Python's.
/// Nothing is evaluated: not `%`, `.format` nor names.
std::vector<PythonSource> cudaInPython(llvm::StringRef Program);

inline bool isPythonFile(llvm::StringRef Name) { return Name.ends_with(".py"); }

} // namespace gpuestimate

#endif
