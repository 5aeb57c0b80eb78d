// Declares what glibc has since 2.41 and 2.42 as it does.
#include_next <math.h>
#ifndef GLIBC_2_42_MATH
#define GLIBC_2_42_MATH
extern "C" {
double sinpi(double) noexcept(true);
float sinpif(float) noexcept(true);
double cospi(double) noexcept(true);
float cospif(float) noexcept(true);
double tanpi(double) noexcept(true);
double rsqrt(double) noexcept(true);
float rsqrtf(float) noexcept(true);
}
#endif
