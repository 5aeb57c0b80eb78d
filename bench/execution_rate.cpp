/// \file
/// How fast kernels execute on the CPU: microseconds of a launch, and lane
/// instructions a second (executions of an LLVM instruction by a GPU thread).
///
/// Usage: gpu-estimate-execution-rate [THREADS [never]]
/// With "never", the threads of a block execute one after the other, not
/// several at a time in the vectors of the host.
#include "gpu-estimate/Execute/Executor.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace gpuestimate;

namespace {

struct RatedKernel {
  const char *Name, *Text; ///< the kernel k(float *a, const float *b, int n)
  uint64_t Blocks, Threads;
  int N;
};

constexpr RatedKernel Kernels[] = {
    {"empty", "{}", 2, 32, 0},
    {"saxpy",
     "{ int i = blockIdx.x * blockDim.x + threadIdx.x;"
     "  if (i < n) a[i] += 2.5f * b[i]; }",
     4096, 256, 1 << 20},
    {"arithmetic",
     "{ int i = blockIdx.x * blockDim.x + threadIdx.x; float x = a[i], y = i;"
     "  for (int k = 0; k < n; ++k) { x = x * y + 0.5f; y = y * 0.9f + x; }"
     "  a[i] = x; }",
     256, 256, 1000},
    {"barriers",
     "{ __shared__ float s[256]; int t = threadIdx.x;"
     "  s[t] = a[blockIdx.x * 256 + t]; __syncthreads();"
     "  for (int d = 128; d; d /= 2) { if (t < d) s[t] += s[t + d];"
     "    __syncthreads(); }"
     "  if (!t) a[blockIdx.x] = s[0]; }",
     512, 256, 0},
    {"shuffles",
     "{ int i = blockIdx.x * blockDim.x + threadIdx.x; float x = a[i];"
     "  for (int d = 16; d; d /= 2) x += __shfl_xor_sync(~0u, x, d);"
     "  a[i] = x; }",
     512, 256, 0},
    {"histogram",
     "{ int i = blockIdx.x * blockDim.x + threadIdx.x;"
     "  if (i < n) atomicAdd((int *)a + i % 64, 1); }",
     2048, 256, 1 << 19},
};

double secondsOf(llvm::function_ref<void()> Work) {
  auto Begin = std::chrono::steady_clock::now();
  Work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin)
      .count();
}

/// Lane instructions of one launch, by the weighted counts of its trace.
double laneInstructions(const RunTrace &Trace, const llvm::Function &F) {
  double Sum = 0;
  unsigned Number = 0;
  for (const llvm::BasicBlock &BB : F) {
    unsigned Count = 0;
    for (const llvm::Instruction &I : BB)
      Count += !llvm::isa<llvm::PHINode>(I) && !I.isDebugOrPseudoInst();
    Sum += Trace.Lanes[Number++] * Count;
  }
  return Sum;
}

void rate(const RatedKernel &K, const ExecuteOptions &Options) {
  llvm::ExitOnError Check;
  llvm::SmallString<128> Name;
  int Descriptor = -1;
  llvm::sys::fs::createTemporaryFile("rate", "cu", Descriptor, Name);
  llvm::raw_fd_ostream(Descriptor, true)
      << "__global__ void k(float *a, const float *b, int n) " << K.Text
      << "\n";
  ParseRequest Parse;
  Parse.File = Name.str().str();
  Parse.NoCudaSdk = true;
  std::string Diagnostics;
  TranslationUnit Unit = Check(parse(Parse, Diagnostics));
  llvm::sys::fs::remove(Name);
  llvm::SmallVector<char, 0> Bitcode;
  llvm::raw_svector_ostream OS(Bitcode);
  llvm::WriteBitcodeToFile(*Unit.Module, OS);

  std::unique_ptr<Executor> E = Check(Executor::create(Options));
  uint64_t Module = Check(E->load({Bitcode.data(), Bitcode.size()}));
  void *A = E->memory().allocate(4 << 20), *B = E->memory().allocate(4 << 20);
  const void *Arguments[] = {&A, &B, &K.N};
  ExecutionRequest Request;
  Request.Grid = {K.Blocks, 1, 1};
  Request.Block = {K.Threads, 1, 1};
  Request.Arguments = Arguments;
  const std::string &Kernel = Unit.Kernels.front().Mangled;
  auto launch = [&] { return Check(E->launch(Module, Kernel, Request)); };
  double First = secondsOf([&] { launch(); });
  unsigned Launches = 0;
  double Seconds = 0;
  while (Seconds < 0.5) {
    Seconds += secondsOf([&] { launch(); });
    ++Launches;
  }
  Request.Trace = true;
  launch();
  ExecutionResult Traced;
  double WithTrace = secondsOf([&] { Traced = launch(); });
  prepareForAnalysis(*Unit.Module);
  double Instructions =
      laneInstructions(*Traced.Trace, *Unit.Module->getFunction(Kernel));
  llvm::outs() << llvm::format("%s,%.0f,%.1f,%.1f,%.3g,%.0f\n", K.Name,
                               First * 1e3, Seconds / Launches * 1e6,
                               WithTrace * 1e6, Instructions,
                               Instructions * Launches / Seconds / 1e6);
}

} // namespace

int main(int Count, char **Values) {
  ExecuteOptions Options;
  Options.Threads = Count > 1 ? unsigned(std::atoi(Values[1])) : 1;
  if (Count > 2 && llvm::StringRef(Values[2]) == "never")
    Options.Vectors = ExecuteOptions::VectorUse::Never;
  llvm::outs() << "kernel,first_ms,microseconds,traced_microseconds,"
                  "lane_instructions,million_per_second\n";
  for (const RatedKernel &K : Kernels)
    rate(K, Options);
}
