/// \file
/// cuRAND's host interface, under the SDK's file name.

#include "gpu_estimate/random_host.h"
