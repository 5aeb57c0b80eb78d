/// \file
/// A part of HIP that the runtime header has, by the name of its place in ROCm.

#include "../hip_runtime.h"
