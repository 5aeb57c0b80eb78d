/// \file
/// The platform that HIP stands on.

#ifndef GPU_ESTIMATE_HIP_COMMON_H
#define GPU_ESTIMATE_HIP_COMMON_H

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif

#endif
