#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

static int run(CUmodule module, const char *kernel) {
  CUfunction function;
  if (cuModuleGetFunction(&function, module, kernel))
    return -1;
  CUdeviceptr p;
  int value = 7;
  cuMemAlloc(&p, 4);
  cuMemcpyHtoD(p, &value, 4);
  void *arguments[] = {&p};
  cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0);
  cuMemcpyDtoH(&value, p, 4);
  return value;
}

int main() {
  cuInit(0);
  CUdevice device;
  cuDeviceGet(&device, 0);
  CUcontext context;
  cuCtxCreate(&context, 0, device);

  nvrtcProgram wrong;
  nvrtcCreateProgram(&wrong, "__global__ void k() { nothing; }", 0, 0, 0, 0);
  nvrtcResult status = nvrtcCompileProgram(wrong, 0, 0);
  size_t size;
  nvrtcGetProgramLogSize(wrong, &size);
  std::vector<char> log(size);
  nvrtcGetProgramLog(wrong, log.data());
  printf("wrong source: %s, %s\n", nvrtcGetErrorString(status),
         strstr(log.data(), "nothing") ? "says why" : "says nothing");
  nvrtcDestroyProgram(&wrong);

  // Functions without attributes are the device's, as the option says.
  const char *header = "int plus(int x) { return x + 33; }";
  const char *name = "own/plus.h";
  nvrtcProgram program;
  nvrtcCreateProgram(&program,
                     "#include \"own/plus.h\"\n"
                     "namespace n {\n"
                     "template <int F> __global__ void multiply(int *p) {\n"
                     "  *p *= F;\n"
                     "}\n"
                     "}\n"
                     "extern \"C\" __global__ void add(int *p) {\n"
                     "  *p = plus(*p);\n"
                     "}\n",
                     "kernels.cu", 1, &header, &name);
  nvrtcAddNameExpression(program, "n::multiply<3>");
  const char *options[] = {"--gpu-architecture=compute_86", "-default-device",
                           "--std=c++17"};
  if (nvrtcCompileProgram(program, 3, options)) {
    nvrtcGetProgramLogSize(program, &size);
    log.resize(size);
    nvrtcGetProgramLog(program, log.data());
    puts(log.data());
  }
  nvrtcGetPTXSize(program, &size);
  std::vector<char> text(size);
  nvrtcGetPTX(program, text.data());
  std::string copy = text.data(); // PTX is a string
  CUmodule module;
  cuModuleLoadData(&module, copy.c_str());
  const char *lowered = "";
  nvrtcGetLoweredName(program, "n::multiply<3>", &lowered);
  printf("template: %d\n", run(module, lowered));
  printf("header: %d\n", run(module, "add"));

  for (const char *file : {"scale.fatbin", "scale.ptx"}) {
    cuModuleLoad(&module, file);
    printf("%s: %d\n", file, run(module, "scale"));
  }
}
