/// \file
/// Types of pointers as LLVM wrote them until version 14, `float
/// addrspace(1)*`. Since LLVM 15 a pointer has no element type: `ptr
/// addrspace(1)`.
#ifndef GPU_ESTIMATE_LIB_FOREIGNIR_TYPEDPOINTERS_H
#define GPU_ESTIMATE_LIB_FOREIGNIR_TYPEDPOINTERS_H

#include <string>

namespace gpuestimate {

/// Written is IR up to, and without, the `*` of a pointer type. Replaces the
/// element type at its end by `ptr`; an address space stays. Element types are
/// `i8`, `%T`, `[4 x i8]`, `{ i8, i32 }`, `<4 x i8>`, and functions, `void
/// (i32)`. Returns false, without a change, where no type ends there.
bool replaceElementType(std::string &Written);

} // namespace gpuestimate

#endif
