/* The one function of glibc 2.36 that LLVM and libstdc++ use. A relocatable
 * archive brings it along, so that it runs on systems with glibc 2.35. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

uint32_t arc4random(void) {
  uint32_t value;
  if (getrandom(&value, sizeof value, 0) != sizeof value)
    abort(); /* as glibc does where there is no randomness */
  return value;
}
