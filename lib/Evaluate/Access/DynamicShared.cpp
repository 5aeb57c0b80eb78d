#include "gpu-estimate/Evaluate/Access/DynamicShared.h"
#include "gpu-estimate/Symbolic/CompiledExprs.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

namespace {

/// The accesses to dynamic shared memory as a program over the coordinates of
/// the threads of one block.
class SharedAddresses {
public:
  SharedAddresses(const KernelModel &Kernel, const Launch &L)
      : Kernel(Kernel), Used(L) {
    for (const MemoryAccess &A : Kernel.Accesses) {
      // A variable of unknown size is the launch's, or declared elsewhere.
      if (A.Space != MemorySpace::Shared || A.Base.empty() || !A.Address ||
          A.BaseBytes.value_or(0) > 1)
        continue;
      Found.push_back(&A);
      Terms.push_back(A.Address);
      Expr Active = Kernel.Blocks[A.Block].Active;
      Terms.push_back(Active ? Active : Kernel.Context->constant(1));
    }
    for (const char *Axis : {"x", "y", "z"})
      Inputs.push_back(std::string("threadIdx.") + Axis);
    for (unsigned D = 0; D < 3; ++D) {
      set(std::string("blockIdx.") + "xyz"[D], 0);
      set(std::string("blockDim.") + "xyz"[D], double(L.Block[D]));
      set(std::string("gridDim.") + "xyz"[D], double(L.Grid[D]));
    }
    FirstCounter = Inputs.size();
    for (const Loop &Nested : Kernel.Loops)
      set(Nested.Counter, 0);
  }

  uint64_t end() {
    if (Found.empty())
      return 0;
    CompiledExprs Program(Terms, Inputs);
    uint64_t Result = endOf(Program);
    bool Changed = false;
    for (size_t I = 0; I < Kernel.Loops.size(); ++I)
      if (Expr Count = Kernel.Loops[I].TripCount)
        if (auto Number = Count.asConstant(); Number && *Number > 1) {
          Others[FirstCounter - Axes + I] = *Number - 1;
          Changed = true;
        }
    return Changed ? std::max(Result, endOf(Program)) : Result;
  }

private:
  static constexpr size_t Axes = 3;
  /// Threads that are looked at; more are not in a block of any GPU.
  static constexpr uint64_t MaxThreads = 1024;

  void set(std::string Name, double Value) {
    Inputs.push_back(std::move(Name));
    Others.push_back(Value);
  }

  uint64_t endOf(CompiledExprs &Program) const {
    uint64_t Threads = std::min(Used.threadsPerBlock(), MaxThreads), End = 0;
    std::vector<double> In(Axes), Out(Terms.size());
    In.insert(In.end(), Others.begin(), Others.end());
    for (uint64_t T = 0; T < Threads; ++T) {
      In[0] = double(T % Used.Block[0]);
      In[1] = double(T / Used.Block[0] % Used.Block[1]);
      In[2] = double(T / Used.Block[0] / Used.Block[1]);
      Program.evaluate(In, Out);
      for (size_t I = 0; I < Found.size(); ++I) {
        double Address = Out[2 * I], Active = Out[2 * I + 1];
        constexpr double Largest = 1 << 24; // no GPU has 16 MiB
        if (Active != 0 && Address >= 0 && Address < Largest)
          End = std::max(End, uint64_t(Address) + Found[I]->BytesPerThread);
      }
    }
    return End;
  }

  const KernelModel &Kernel;
  const Launch &Used;
  std::vector<const MemoryAccess *> Found;
  std::vector<Expr> Terms; ///< address and condition of each access
  std::vector<std::string> Inputs;
  std::vector<double> Others; ///< of the inputs behind the thread's coordinates
  size_t FirstCounter = 0;
};

} // namespace

uint64_t leastDynamicShared(const KernelModel &Kernel, const Launch &L) {
  if (!Kernel.Res.UsesDynamicShared || !L.threadsPerBlock())
    return 0;
  return std::max(Kernel.Res.DynamicSharedAtLeast,
                  SharedAddresses(Kernel, L).end());
}

} // namespace gpuestimate
