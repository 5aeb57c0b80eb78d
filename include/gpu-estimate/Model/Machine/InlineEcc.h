/// \file
/// What the error-correcting code of GDDR memory adds to data in whole lines.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_INLINEECC_H
#define GPU_ESTIMATE_MODEL_MACHINE_INLINEECC_H

#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate {

/// Bytes that DRAM moves for each byte of data, with the code of whole lines of
/// L2, if this share of the data is written; 1 where no code is in the memory
/// (GpuModel::InlineEccRead). A T4, 16 and 48 bytes beside 128: 1.125 of reads,
/// 1.375 of writes.
inline double dramBytesPerByte(const GpuModel &Gpu, double WriteShare) {
  if (!Gpu.InlineEccRead && !Gpu.InlineEccWrite)
    return 1; // a model made by hand may have no lines of L2
  double Read = Gpu.InlineEccRead.value_or(Bytes(0)) / Gpu.L2.Line;
  double Write = Gpu.InlineEccWrite.value_or(Bytes(0)) / Gpu.L2.Line;
  return 1 + Read + (Write - Read) * WriteShare;
}

} // namespace gpuestimate

#endif
