/// \file
/// cuFFT's host interface, under the SDK's file name.

#include "gpu_estimate/fft_host.h"
