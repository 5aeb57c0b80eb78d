// Modules from a file and from a source; see hip-modules.test.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <cstdio>
#include <string>
#include <vector>

static const char source[] = R"(
template <int Factor> __global__ void multiply(float *x) {
  x[threadIdx.x] *= Factor;
}
)";

static float *x;

static float first() {
  float value = 0;
  (void)hipMemcpyDtoH(&value, x, sizeof(value));
  return value;
}

static void launch(hipFunction_t kernel) {
  void *arguments[] = {&x};
  (void)hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments,
                              nullptr);
}

int main() {
  float seven = 7;
  (void)hipMalloc(&x, sizeof(seven));

  hiprtcProgram wrong;
  (void)hiprtcCreateProgram(&wrong, "no kernel", "wrong.hip", 0, nullptr,
                            nullptr);
  hiprtcResult result = hiprtcCompileProgram(wrong, 0, nullptr);
  size_t bytes = 0;
  (void)hiprtcGetProgramLogSize(wrong, &bytes);
  std::string log(bytes, '\0');
  (void)hiprtcGetProgramLog(wrong, log.data());
  std::printf("wrong source: %s, %s\n",
              result == HIPRTC_ERROR_COMPILATION ? "HIPRTC_ERROR_COMPILATION"
                                                 : "another result",
              log.find("error:") != std::string::npos ? "says why" : "silent");

  hiprtcProgram program;
  hipDeviceProp_t properties;
  (void)hipGetDeviceProperties(&properties, 0);
  std::string arch =
      std::string("--gpu-architecture=") + properties.gcnArchName;
  const char *options[] = {arch.c_str()};
  (void)hiprtcCreateProgram(&program, source, "multiply.hip", 0, nullptr,
                            nullptr);
  (void)hiprtcAddNameExpression(program, "multiply<3>");
  if (hiprtcCompileProgram(program, 1, options) != HIPRTC_SUCCESS)
    return 1;
  (void)hiprtcGetCodeSize(program, &bytes);
  std::vector<char> code(bytes);
  (void)hiprtcGetCode(program, code.data());
  const char *name = nullptr;
  (void)hiprtcGetLoweredName(program, "multiply<3>", &name);
  hipModule_t module;
  hipFunction_t kernel;
  if (hipModuleLoadData(&module, code.data()) != hipSuccess ||
      hipModuleGetFunction(&kernel, module, name) != hipSuccess)
    return 2;
  (void)hipMemcpyHtoD(x, &seven, sizeof(seven));
  launch(kernel);
  std::printf("template: %g\n", first());
  (void)hipModuleUnload(module);
  (void)hiprtcDestroyProgram(&program);

  if (hipModuleLoad(&module, "scale.hsaco") != hipSuccess ||
      hipModuleGetFunction(&kernel, module, "scale") != hipSuccess)
    return 3;
  (void)hipMemcpyHtoD(x, &seven, sizeof(seven));
  launch(kernel);
  std::printf("file: %g\n", first());
  size_t size = sizeof(x);
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &x,
                   HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  (void)hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr,
                              extra);
  std::printf("buffer of arguments: %g\n", first());
  hipDeviceptr_t factor;
  float value = 0;
  if (hipModuleGetGlobal(&factor, &bytes, module, "factor") != hipSuccess)
    return 4;
  (void)hipMemcpyDtoH(&value, factor, sizeof(value));
  std::printf("variable: %g\n", value);
}
