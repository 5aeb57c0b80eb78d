/// \file
/// How later rooms tell code that was PTX.
#ifndef GPU_ESTIMATE_PTX_CODEMARK_H
#define GPU_ESTIMATE_PTX_CODEMARK_H

#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

/// Attribute of the functions of a PTX file. What their loops do with addresses
/// is what the machine does: ptxas replaces no index by a pointer that walks
/// along, as the compilers before it do.
inline constexpr llvm::StringLiteral PtxCodeMark = "gpu-estimate-ptx";

} // namespace gpuestimate

#endif
