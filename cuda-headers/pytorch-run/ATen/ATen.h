#include <gpu_estimate_pytorch_run.h>
