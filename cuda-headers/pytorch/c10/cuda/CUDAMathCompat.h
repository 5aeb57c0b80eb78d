#include <gpu_estimate_pytorch.h>
