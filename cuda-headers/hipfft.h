/// \file
/// hipFFT, under the name of its first versions.

#include "hipfft/hipfft.h"
