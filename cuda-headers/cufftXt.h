/// \file
/// cuFFT's extended interface, under the SDK's file name.

#include "gpu_estimate/fft_multi_host.h"
