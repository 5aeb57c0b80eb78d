/* GCC's own name for <stdint.h>, which some sources include. Found last, behind
 * any other. */
#include <stdint.h>
