#include "gpu-estimate/Run/GpuLibraries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace gpuestimate {

using llvm::StringRef;

/// Statuses are those of the headers of CUDA 13 and ROCm 6. A longer prefix
/// stands before one that it begins with.
static constexpr GpuLibrary Libraries[] = {
    {"cublasLt", "cuBLASLt", 15},
    {"cublasXt", "cuBLASXt", 15},
    {"cublas", "cuBLAS", 15},
    {"cudnn", "cuDNN", 3000},
    {"cufft", "cuFFT", 16},
    {"cufile", "cuFile", 5007},
    {"curand", "cuRAND", 204}, // the GPU does not support the feature
    {"cusolver", "cuSOLVER", 9},
    {"cusparseLt", "cuSPARSELt", 10},
    {"cusparse", "cuSPARSE", 10},
    {"cutensor", "cuTENSOR", 15},
    {"nccl", "NCCL", 3}, // an internal error
    {"npp", "NPP", -9999},
    {"nvml", "NVML", 3},
    {"nvrtc", "NVRTC", 11},        // an internal error
    {"nvJitLink", "nvJitLink", 6}, // an internal error
    {"nvPTXCompiler", "the PTX compiler", 4},
    {"nvjpeg", "nvJPEG", 9},
    {"nvtx", "NVTX", 0},
    {"nvvm", "libNVVM", 9},
    {"cuvid", "NVDECODE", 801},
    {"cupti", "CUPTI", 27},
    {"cuda", "the CUDA runtime", 801},
    {"cu", "the CUDA driver", 801},
    {"hipblasLt", "hipBLASLt", 7},
    {"hipblas", "hipBLAS", 7},
    {"hipfft", "hipFFT", 16},
    {"hiprand", "hipRAND", 204},
    {"hipsolver", "hipSOLVER", 7},
    {"hipsparse", "hipSPARSE", 10},
    {"hip", "the HIP runtime", 801},
    {"rocblas_", "rocBLAS", 2},
    {"rocfft_", "rocFFT", 1},
    {"rocsparse_", "rocSPARSE", 2},
    {"egl", "EGL", 0},
    {"glew", "GLEW", 0},
    {"glfw", "GLFW", 0},
    {"glut", "GLUT", 0},
    {"glX", "GLX", 0},
    {"glu", "GLU", 0},
    {"gl", "OpenGL", 0},
    {"vk", "Vulkan", 0},
    {"X", "Xlib", 0}};

StringRef unmangledName(StringRef Function) {
  StringRef Rest = Function;
  size_t Length = 0;
  if (!Rest.consume_front("_Z") || Rest.consumeInteger(10, Length) ||
      Length > Rest.size())
    return Function;
  return Rest.substr(0, Length);
}

const GpuLibrary *gpuLibraryOf(StringRef Function) {
  Function = unmangledName(Function).ltrim('_'); // __nvJitLinkCreate_13_0
  for (const GpuLibrary &Library : Libraries) {
    StringRef Rest = Function;
    if (!Rest.consume_front(Library.Prefix) || Rest.empty())
      continue;
    if (Rest.front() == '_' || llvm::isDigit(Rest.front()) ||
        llvm::isUpper(Rest.front()) || Library.Prefix.ends_with("_") ||
        // NPP has the type or the family behind its prefix.
        Library.Prefix == "npp")
      return &Library;
  }
  return nullptr;
}

bool isReplacedLibrary(StringRef Name) {
  static constexpr StringRef Exact[] = {
      "cuda",          "cudart",     "cudadevrt",      "culibos",    "cublas",
      "cublasLt",      "cudnn",      "cufft",          "cufile",     "curand",
      "cusolver",      "cusolverMg", "cusparse",       "cusparseLt", "cutensor",
      "nccl",          "nvToolsExt", "nvidia-ml",      "nvJitLink",  "nvjpeg",
      "nvptxcompiler", "nvrtc",      "nvrtc-builtins", "nvvm",       "nvcuvid",
      "nvidia-encode", "cupti",      "cufilt",         "amdhip64",   "hipblas",
      "hipfft",        "hiprand",    "hipsparse",      "hipsolver",  "rocblas",
      "rocfft",        "rocrand",    "rocsparse",      "hiprtc"};
  Name.consume_back("_static");
  Name.consume_back("_alt");
  // nppc, nppif, nppial; cudnn_ops, cudnn_cnn_infer
  bool IsFamily = Name.starts_with("cudnn_") ||
                  (Name.starts_with("npp") && Name.size() <= 6);
  return IsFamily || llvm::is_contained(Exact, Name);
}

bool isReplacedLibraryFile(StringRef Path) {
  StringRef Name = llvm::sys::path::filename(Path);
  if (!Name.consume_front("lib"))
    return false;
  auto [Stem, Rest] = Name.split('.');
  bool IsLibrary = Rest == "a" || Rest == "so" || Rest.starts_with("so.");
  return IsLibrary && isReplacedLibrary(Stem);
}

bool isGraphicsLibrary(StringRef Name) {
  static constexpr StringRef Names[] = {
      "EGL",  "GL", "GLEW", "GLESv2",   "GLU",  "GLX",  "OpenGL", "X11",
      "Xext", "Xi", "Xmu",  "freeglut", "glfw", "glut", "vulkan"};
  return llvm::is_contained(Names, Name);
}

} // namespace gpuestimate
