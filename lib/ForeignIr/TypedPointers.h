/// \file
/// Types of pointers as LLVM wrote them until version 14, `float
/// addrspace(1)*`. Since LLVM 15 a pointer has no element type: `ptr
/// addrspace(1)`.
#ifndef GPU_ESTIMATE_LIB_FOREIGNIR_TYPEDPOINTERS_H
#define GPU_ESTIMATE_LIB_FOREIGNIR_TYPEDPOINTERS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

class TypedPointers {
public:
  /// Written is the IR so far; it grows between the calls.
  explicit TypedPointers(std::string &Written) : Written(Written) {}

  /// Written ends before the `*` of a pointer type. Replaces the element type
  /// at its end by `ptr`; an address space stays. Element types are `i8`, `%T`,
  /// `[4 x i8]`, `{ i8, i32 }`, `<4 x i8>`, and functions, `void (i32)`.
  /// Returns false, without a change, where no type ends there.
  bool replaceElementType();

  /// The element type that was replaced last; "" if none was.
  llvm::StringRef lastElement() const { return Element; }

private:
  std::string &Written;
  std::string Element;
  size_t End = std::string::npos; ///< of what was replaced last
};

} // namespace gpuestimate

#endif
