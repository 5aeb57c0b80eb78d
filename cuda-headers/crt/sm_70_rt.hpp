/// \file
/// The name under which clang's resource headers include the match functions.

#include "../gpu_estimate/warp_match.h"
