/// \file
/// Requests: errors, languages, compilation databases, nvcc's flags.
#include "Frontend/Parse/CommandLine.h"
#include "Frontend/Parse/DialectRepair.h"
#include "helpers/FrontendTesting.h"
#include "llvm/Support/Path.h"

using namespace gpuestimate;

namespace {

constexpr llvm::StringLiteral Kernel =
    "__global__ void k(int *p) { *p = N; }\n";

std::string errorOf(const ParseRequest &Request, std::string &Diagnostics) {
  auto Unit = parse(Request, Diagnostics);
  if (Unit)
    return "no error";
  return llvm::toString(Unit.takeError());
}

TEST(FrontendParse, MissingFile) {
  ParseRequest Request;
  Request.File = "/nowhere/missing.cu";
  std::string Diagnostics;
  EXPECT_NE(errorOf(Request, Diagnostics).find("/nowhere/missing.cu"),
            std::string::npos);
  EXPECT_NE(Diagnostics.find("no such file"), std::string::npos);
}

TEST(FrontendParse, BrokenSource) {
  TemporaryFile File("__global__ void k(int *p) { *p = ; }\n");
  ParseRequest Request;
  Request.File = File.Path;
  Request.NoCudaSdk = true;
  std::string Diagnostics;
  EXPECT_NE(errorOf(Request, Diagnostics).find("clang reported errors"),
            std::string::npos);
  EXPECT_NE(Diagnostics.find(":1:34: error: expected expression"),
            std::string::npos)
      << Diagnostics;
}

TEST(FrontendParse, NotCuda) {
  TemporaryFile File("int main() { return 0; }\n", "cpp");
  ParseRequest Request;
  Request.File = File.Path;
  Request.NoCudaSdk = true;
  std::string Diagnostics;
  EXPECT_NE(errorOf(Request, Diagnostics).find("no loop is marked for a GPU"),
            std::string::npos);
  TemporaryFile Other("f: ret\n", "s");
  Request.File = Other.Path;
  EXPECT_NE(errorOf(Request, Diagnostics)
                .find("neither CUDA, HIP, C nor C++; '-- -x cuda'"),
            std::string::npos);
  Request.File = File.Path;
  Request.ClangArgs = {"-x", "cuda"};
  EXPECT_EQ(errorOf(Request, Diagnostics), "no error") << Diagnostics;
}

TEST(FrontendParse, HipWithoutRocm) {
  TemporaryFile File(R"(
#include <hip/hip_runtime.h>
__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float sums[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? sqrtf(in[i]) : 0.0f;
  for (int d = warpSize / 2; d > 0; d /= 2)
    v += __shfl_down(v, d);
  sums[threadIdx.x] = v;
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(out, sums[0]);
}
int main() {
  float *in, *out;
  int n = 1 << 12;
  if (hipMalloc(&in, n * sizeof(float)) != hipSuccess) return 1;
  (void)hipMalloc((void **)&out, 4);
  hipLaunchKernelGGL(reduce, dim3(n / 256), dim3(256), 0, 0, in, out, n);
  reduce<<<1, 64>>>(in, out, 64);
}
)",
                     "hip");
  ParseRequest Request;
  Request.File = File.Path;
  std::string Diagnostics;
  auto Unit = parse(Request, Diagnostics);
  ASSERT_TRUE(static_cast<bool>(Unit))
      << llvm::toString(Unit.takeError()) << Diagnostics;
  EXPECT_TRUE(Unit->Hip);
  EXPECT_EQ(Unit->Arch, "gfx906");
  auto Launches = launchesOf(*Unit, "reduce");
  ASSERT_EQ(Launches.size(), 2u);
  EXPECT_EQ(shape(*Launches[0]), "<16> <256>");
  EXPECT_EQ(argument(*Launches[0], "in"), "16384");
  EXPECT_EQ(shape(*Launches[1]), "<1> <64>");
}

TEST(FrontendParse, BadCommandLine) {
  TemporaryFile File("");
  ParseRequest Request;
  Request.File = File.Path;
  Request.NoCudaSdk = true;
  Request.ClangArgs = {"--no-such-flag"};
  std::string Diagnostics;
  EXPECT_NE(errorOf(Request, Diagnostics).find("command line"),
            std::string::npos);
  EXPECT_NE(Diagnostics.find("no-such-flag"), std::string::npos);
}

TEST(FrontendParse, BadSdk) {
  TemporaryFile File("");
  ParseRequest Request;
  Request.File = File.Path;
  Request.CudaPath = "/nowhere";
  std::string Diagnostics;
  EXPECT_EQ(errorOf(Request, Diagnostics),
            "no CUDA SDK of version 11 or newer in /nowhere");
}

TEST(FrontendParse, ArchitectureAndDefines) {
  TranslationUnit Unit = parseText(
      "#if __CUDA_ARCH__ != 900\n#error wrong\n#endif\n" + Kernel.str(),
      {"--cuda-gpu-arch=sm_90", "-DN=3"});
  EXPECT_EQ(Unit.Arch, "sm_90");
  EXPECT_EQ(Unit.Kernels.size(), 1u);
}

TEST(FrontendParse, NearestArchitecture) {
  EXPECT_EQ(supportedArch("sm_61"), "sm_61");
  EXPECT_EQ(supportedArch("sm_120"), "sm_90a");
  EXPECT_EQ(supportedArch("sm_88"), "sm_87");
  EXPECT_EQ(supportedArch("gfx906"), "gfx906");
}

TEST(FrontendParse, NvccFlags) {
  unsigned MaxRegisters = 0;
  std::vector<std::string> Args = {
      "-forward-unknown-to-host-compiler",
      "-DA=1",
      "-I/inc",
      "-isystem=/sys",
      "--generate-code=arch=compute_86,code=[compute_86,sm_86]",
      "-gencode",
      "arch=compute_70,code=sm_70",
      "-std=c++17",
      "--std",
      "c++14",
      "-x",
      "cu",
      "-rdc=true",
      "--expt-relaxed-constexpr",
      "-Xcompiler",
      "-fPIC,-DB=2",
      "-Xcompiler=-Wall",
      "-maxrregcount=48",
      "-lineinfo",
      "-O2",
      "-use_fast_math",
      "--ptxas-options=-v",
      "-t",
      "4",
      "file.cu"};
  EXPECT_EQ(translateNvccArgs(Args, MaxRegisters),
            (std::vector<std::string>{
                "-DA=1", "-I/inc", "-isystem", "/sys", "--cuda-gpu-arch=sm_86",
                "-std=c++17", "-std=c++14", "-x", "cuda", "-DGPU_ESTIMATE_RDC",
                "-DGPU_ESTIMATE_RELAXED_CONSTEXPR", "-DB=2",
                "-fgpu-flush-denormals-to-zero", "-fgpu-approx-transcendentals",
                "-fapprox-func", "-freciprocal-math", "-ffp-contract=fast",
                "file.cu"}));
  EXPECT_EQ(MaxRegisters, 48u);
}

TEST(FrontendParse, NvccFlagsAmongClangs) {
  unsigned MaxRegisters = 0;
  std::vector<std::string> Args = {
      "-Werror",       "-O2",      "-std=c++20", "-Xcompiler",
      "-Wall,-DB=2",   "-gencode", "arch=sm_90", "--extended-lambda",
      "-maxrregcount", "32"};
  EXPECT_EQ(translateMixedArgs(Args, MaxRegisters),
            (std::vector<std::string>{"-Werror", "-O2", "-std=c++20", "-DB=2",
                                      "--cuda-gpu-arch=sm_90",
                                      "-DGPU_ESTIMATE_EXTENDED_LAMBDA"}));
  EXPECT_EQ(MaxRegisters, 32u);
}

TEST(Parse, NvccIsToldWhatDecidesTheCodeOfTheDevice) {
  std::vector<std::string> Args = {"-arch=sm_80",
                                   "-gencode",
                                   "arch=compute_90,code=sm_90",
                                   "-G",
                                   "-lineinfo",
                                   "--keep",
                                   "-Xptxas",
                                   "-v",
                                   "-Iinclude",
                                   "-std=c++17",
                                   "--use_fast_math",
                                   "-maxrregcount",
                                   "64",
                                   "--expt-relaxed-constexpr",
                                   "-Xcompiler",
                                   "-fopenmp",
                                   "-dc"};
  EXPECT_EQ(nvccArgsForPtx(Args),
            (std::vector<std::string>{"-Iinclude", "-std=c++17",
                                      "--use_fast_math", "-maxrregcount", "64",
                                      "--expt-relaxed-constexpr", "-Xcompiler",
                                      "-fopenmp", "-rdc=true"}));
  // What a user gives to clang has the spelling of nvcc, or is left out.
  Args = {"-O2",     "-Wall",     "-std=gnu++17",          "-I",
          "include", "-DN=4",     "-ffp-contract=off",     "-fopenmp",
          "-x",      "cuda",      "--cuda-gpu-arch=sm_80", "-isystem",
          "system",  "--ftz=true"};
  EXPECT_EQ(mixedArgsForPtx(Args),
            (std::vector<std::string>{"-std=c++17", "-I", "include", "-DN=4",
                                      "-fmad=false", "-isystem", "system",
                                      "--ftz=true"}));
}

/// The text after an edit.
std::string edited(llvm::StringRef Text, const std::optional<TextEdit> &Edit) {
  if (!Edit)
    return "";
  return (Text.substr(0, Edit->Begin) + Edit->Text + Text.substr(Edit->End))
      .str();
}

TEST(FrontendParse, RepairsOfTheDialect) {
  llvm::StringRef Text = "extern __shared__ alignas(16) char b[];";
  EXPECT_EQ(edited(Text, moveAlignment(Text, Text.find("alignas"))),
            "alignas(16) extern __shared__ char b[];");
  Text = "float alignas(16) x;"; // not nvcc's, either
  EXPECT_FALSE(moveAlignment(Text, Text.find("alignas")));

  Text = "  __shared__ __align__(8) std::pair<int, T> a[2], b{1};";
  std::string Storage = "__shared__ __align__(8) gpu_estimate_storage<";
  std::string Expected =
      "  " + Storage +
      "std::pair<int, T>[2]> a_storage; static constexpr auto &a = "
      "a_storage.value; " +
      Storage +
      "std::pair<int, T>> b_storage; static constexpr auto &b = "
      "b_storage.value;";
  EXPECT_EQ(edited(Text, dropSharedConstructor(Text, Text.find("a["))),
            Expected);
  EXPECT_EQ(edited(Text, dropSharedConstructor(Text, Text.find("b{"))),
            Expected);
  Text = "__shared__ struct { X x; } y;";
  EXPECT_FALSE(dropSharedConstructor(Text, Text.find("y;")));

  Text = "  extern __shared__ __align__(128) Tiles<8, 4> s;";
  EXPECT_EQ(edited(Text, referToDynamicShared(Text, Text.find("__sh"))),
            "  extern __shared__ __align__(128) unsigned char "
            "gpu_estimate_dynamic_shared[]; auto &s = *reinterpret_cast<"
            "Tiles<8, 4> *>(gpu_estimate_dynamic_shared);");
  Text = "__shared__ extern float s;";
  EXPECT_EQ(edited(Text, referToDynamicShared(Text, 0)),
            "extern __shared__ unsigned char gpu_estimate_dynamic_shared[]; "
            "auto &s = *reinterpret_cast<float *>("
            "gpu_estimate_dynamic_shared);");
  for (llvm::StringRef Other :
       {"__shared__ float s;", "extern __shared__ float s[2];",
        "extern __shared__ float a, b;", "extern __shared__ f"})
    EXPECT_FALSE(referToDynamicShared(Other, Other.find("__sh")));

  Text = "int a[n] =\n{f(1, 2), 0, 3};";
  EXPECT_EQ(edited(Text, assignVlaElements(Text, Text.find("n]"))),
            "int a[n] ; __builtin_memset(a, 0, sizeof a); a[0] = f(1, 2); "
            "a[2] = 3\n;");
  Text = "int a[n] = {3}, b[n][2] = {{1, 2}, {}};";
  EXPECT_EQ(edited(Text, assignVlaElements(Text, Text.find("n]"))),
            "int a[n] , b[n][2] = {{1, 2}, {}}; __builtin_memset(a, 0, sizeof "
            "a); a[0] = 3;");
  EXPECT_EQ(edited(Text, assignVlaElements(Text, Text.find("n][2"))),
            "int a[n] = {3}, b[n][2] ; __builtin_memset(b, 0, sizeof b); "
            "b[0][0] = 1; b[0][1] = 2;");
  Text = "int a[n] = {.x = 3};";
  EXPECT_FALSE(assignVlaElements(Text, Text.find("n]")));

  Text = "asm(\"st [%1], %0;\" ::\"r\"(v) \"l\"(p));";
  EXPECT_EQ(edited(Text, separateAsmOperands(Text, Text.find("\"l\""))),
            "asm(\"st [%1], %0;\" ::\"r\"(v) , \"l\"(p));");
  Text = "f(g(v) \"l\");";
  EXPECT_FALSE(separateAsmOperands(Text, Text.find("\"l\"")));

  Text = "asm(\"mov %0, %clock; add %1,%w0,%%tid; %%%1 %[x]\");";
  EXPECT_EQ(edited(Text, escapePercent(Text, Text.find("clock"))),
            "asm(\"mov %0,%%clock; add %1,%w0,%%tid; %%%1 %[x]\");");

  Text = "a::k<T><<<g, 32>>>(x);";
  EXPECT_EQ(edited(Text, callDeviceLaunch(Text, Text.find("k<"))),
            "gpu_estimate_device_launch<a::k<T>>(g, 32)(x);");
  EXPECT_EQ(edited(Text, callDeviceLaunch(Text, Text.find("<<<"))),
            "gpu_estimate_device_launch<a::k<T>>(g, 32)(x);");

  Text = "k<T> << <f(a >> 1), b>> >\n(x >> 2);";
  EXPECT_EQ(edited(Text, joinChevrons(Text, Text.find("<f"))),
            "k<T> <<< f(a >> 1), b>>> \n(x >> 2);");
  Text = "a = b << <c; d >> > e;";
  EXPECT_FALSE(joinChevrons(Text, Text.find("<c")));

  Text = "#define F \\\n  # pragma unroll 4 \\\n  x\n#pragma once\n";
  EXPECT_EQ(edited(Text, quotePragma(Text, Text.find("# pragma"))),
            "#define F \\\n  _Pragma(\"unroll 4\") \\\n  x\n#pragma once\n");
  EXPECT_FALSE(quotePragma(Text, Text.find("#pragma")));
  EXPECT_FALSE(quotePragma(Text, 0));
  Text = "k<<<{2, 1}, {x, 8}, 0>>>({1}); a <<< b; f({1});";
  EXPECT_EQ(edited(Text, nameDimensions(Text, Text.find("{2"))),
            "k<<<dim3{2, 1}, {x, 8}, 0>>>({1}); a <<< b; f({1});");
  EXPECT_EQ(edited(Text, nameDimensions(Text, Text.find("{x"))),
            "k<<<{2, 1}, dim3{x, 8}, 0>>>({1}); a <<< b; f({1});");
  EXPECT_FALSE(nameDimensions(Text, Text.find("{1}); a")));
  EXPECT_FALSE(nameDimensions(Text, Text.rfind("{1")));

  // Unfinished text has no repair, and is read to its end at most.
  for (llvm::StringRef Cut :
       {"__shared__ alignas(", "__shared__ T x[", "\"%a", "int a[n", "k<<<",
        "k << <a >>", "__shared__ ", "#define a #", "#define a #pragma"})
    for (size_t Place = 0; Place < Cut.size(); ++Place) {
      EXPECT_FALSE(moveAlignment(Cut, Place));
      EXPECT_FALSE(dropSharedConstructor(Cut, Place));
      EXPECT_FALSE(assignVlaElements(Cut, Place));
      EXPECT_FALSE(callDeviceLaunch(Cut, Place));
      EXPECT_FALSE(joinChevrons(Cut, Place));
      (void)quotePragma(Cut, Place);
      (void)escapePercent(Cut, Place);
    }
}

/// A folder with a database of one command.
class Database : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::sys::fs::createUniqueDirectory("frontend-database", Folder);
    write("sub dir/value.h", "#define N 5\n");
    write("kernel.cu", "#include \"value.h\"\n" + Kernel.str());
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  void write(llvm::StringRef Name, llvm::StringRef Text) {
    std::string Path = path(Name);
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Path));
    std::error_code EC;
    llvm::raw_fd_ostream(Path, EC) << Text;
  }
  std::string path(llvm::StringRef Name) { return (Folder + "/" + Name).str(); }
  void writeDatabase(llvm::StringRef Command) {
    write("compile_commands.json", ("[{\"directory\": \"" + Folder +
                                    "\", \"file\": \"kernel.cu\", "
                                    "\"command\": \"" +
                                    Command + "\"}]")
                                       .str());
  }

  llvm::SmallString<128> Folder;
};

TEST_F(Database, NvccCommand) {
  write("flags.rsp", "-I\"sub dir\"\n");
  writeDatabase("/usr/bin/ccache /opt/cuda/bin/nvcc --options-file flags.rsp "
                "-arch=sm_75 --maxrregcount 32 -dc -o out/kernel.o -x cu -c "
                "kernel.cu");
  ParseRequest Request;
  Request.File = path("kernel.cu");
  Request.BuildPath = Folder.str().str();
  Request.NoCudaSdk = true;
  std::string Diagnostics;
  auto Unit = parse(Request, Diagnostics);
  ASSERT_TRUE(static_cast<bool>(Unit))
      << llvm::toString(Unit.takeError()) << Diagnostics;
  EXPECT_EQ(Unit->Arch, "sm_75");
  EXPECT_EQ(Unit->MaxRegisters, 32u);
  EXPECT_EQ(Unit->Kernels.size(), 1u);
}

TEST_F(Database, ClangCommandAndExtraArguments) {
  writeDatabase("clang++ -nocudainc -I'sub dir' -M -MF x.d -ox.o -c kernel.cu");
  auto Command = findCompileCommand(Folder.str().str(), path("kernel.cu"));
  ASSERT_TRUE(static_cast<bool>(Command))
      << llvm::toString(Command.takeError());
  EXPECT_EQ(Command->Args,
            (std::vector<std::string>{"-nocudainc", "-Isub dir"}));
}

TEST_F(Database, NoCommand) {
  writeDatabase("clang++ -c kernel.cu");
  ParseRequest Request;
  Request.File = path("other.cu");
  Request.BuildPath = Folder.str().str();
  std::string Diagnostics;
  EXPECT_NE(errorOf(Request, Diagnostics).find("has no command for"),
            std::string::npos);
  Request.BuildPath = "/nowhere";
  EXPECT_NE(
      errorOf(Request, Diagnostics).find("/nowhere/compile_commands.json"),
      std::string::npos);
}

} // namespace
