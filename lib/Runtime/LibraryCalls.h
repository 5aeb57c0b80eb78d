/// \file
/// The record of a call into a library that is executed on the CPU.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_LIBRARYCALLS_H
#define GPU_ESTIMATE_LIB_RUNTIME_LIBRARYCALLS_H

#include "Process.h"

namespace gpuestimate {

enum class LibraryCallState : uint8_t {
  Recorded,
  NoStream, ///< the handle names none
  Captured, ///< into a graph, which would lack the call: it is not done
};

/// Records What on the program's stream; sets What.Stream.
LibraryCallState recordLibraryCall(ApiCall &Call, cudaStream_t On,
                                   RunLibraryCall &What);

} // namespace gpuestimate

#endif
