/// \file
/// A part of HIP that the main header has.

#include "hip_runtime.h"
