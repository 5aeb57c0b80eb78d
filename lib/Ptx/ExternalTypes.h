/// \file
/// Types of functions that a PTX file only declares. LLVM declares parameters
/// as bits (`.param .b32`); whether they are floats, the calls tell:
///
///   st.param.f32 [param0], %f1;
///   call (retval0), __nv_sqrtf, (param0);
///   ld.param.f32 %f2, [retval0];
#ifndef GPU_ESTIMATE_LIB_PTX_EXTERNALTYPES_H
#define GPU_ESTIMATE_LIB_PTX_EXTERNALTYPES_H

#include "gpu-estimate/Ptx/Syntax.h"

namespace gpuestimate {

/// Makes floats of the parameters and results of functions without a body in
/// File whose calls pass floats of the same width.
void inferExternalTypes(PtxFile &File);

} // namespace gpuestimate

#endif
