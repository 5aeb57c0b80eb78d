/// \file
/// OpenGL interoperability, under the SDK's file name.

#include "gpu_estimate/gl_interop.h"
