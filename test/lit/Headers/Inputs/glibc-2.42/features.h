// Says that it is glibc 2.42.
#include_next <features.h>
#undef __GLIBC_MINOR__
#define __GLIBC_MINOR__ 42
