#include "gpu-estimate/Run/GpuLibraries.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

llvm::StringRef libraryOf(llvm::StringRef Function) {
  const GpuLibrary *L = gpuLibraryOf(Function);
  return L ? llvm::StringRef(L->Name) : "";
}

TEST(GpuLibraries, NamesTheLibraryOfAFunction) {
  EXPECT_EQ(libraryOf("cublasLtMatmul"), "cuBLASLt");
  EXPECT_EQ(libraryOf("cublasSgemm_v2"), "cuBLAS");
  EXPECT_EQ(libraryOf("cusparseLtInit"), "cuSPARSELt");
  EXPECT_EQ(libraryOf("cudaGraphicsGLRegisterBuffer"), "the CUDA runtime");
  EXPECT_EQ(libraryOf("cuCtxCreate_v4"), "the CUDA driver");
  EXPECT_EQ(libraryOf("__nvJitLinkCreate_13_0"), "nvJitLink");
  EXPECT_EQ(libraryOf("nppiFilterBox_8u_C1R"), "NPP");
  EXPECT_EQ(libraryOf("glutInit"), "GLUT");
  EXPECT_EQ(libraryOf("_Z16cudaGraphAddNodePP14CUgraphNode_st"),
            "the CUDA runtime");
  EXPECT_EQ(libraryOf("XOpenDisplay"), "Xlib");
  // A program's own functions.
  for (llvm::StringRef Own :
       {"custom", "culprit", "global", "glow", "hipster", "cublas", "vkontakte",
        "_Z4cudav", "_Z99cudaX", "_ZN3own9cudaThingE", ""})
    EXPECT_EQ(libraryOf(Own), "") << Own.str();
}

TEST(GpuLibraries, StandsForLibraries) {
  for (llvm::StringRef Name :
       {"cudart", "cudart_static", "cublasLt", "cudnn_ops", "nppif", "nvrtc",
        "cusparse_static", "amdhip64"})
    EXPECT_TRUE(isReplacedLibrary(Name)) << Name.str();
  for (llvm::StringRef Name : {"m", "openblas", "cufftw", "nppersonal", "GL"})
    EXPECT_FALSE(isReplacedLibrary(Name)) << Name.str();
  EXPECT_TRUE(isReplacedLibraryFile("/usr/lib64/libcufft.so.11"));
  EXPECT_TRUE(isReplacedLibraryFile("libcudart_static.a"));
  EXPECT_FALSE(isReplacedLibraryFile("cufft.o"));
  EXPECT_FALSE(isReplacedLibraryFile("libcufft.txt"));
}

} // namespace
