#include "StrideClass.h"

#include "gpu-estimate/Symbolic/CompiledExprs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

StringRef name(StrideClass Class) {
  switch (Class) {
  case StrideClass::Coalesced:
    return "coalesced";
  case StrideClass::Constant:
    return "constant";
  case StrideClass::Uncoalesced:
    return "uncoalesced";
  }
  llvm_unreachable("no such class");
}

std::vector<StrideClass> strideClasses(const KernelModel &Kernel,
                                       const GpuModel &Gpu, const Launch &L,
                                       const Bindings &All) {
  std::vector<Expr> Addresses;
  std::vector<std::string> Names = {"threadIdx.x", "threadIdx.y",
                                    "threadIdx.z"};
  std::vector<double> Values(3);
  auto Bind = [&](StringRef Name, double Value) {
    Names.push_back(Name.str());
    Values.push_back(Value);
  };
  for (const char *Axis : {"x", "y", "z"})
    Bind(std::string("blockIdx.") + Axis, 0);
  for (const Loop &Nested : Kernel.Loops)
    Bind(Nested.Counter, 0);
  for (const auto &Entry : All)
    if (!is_contained(Names, Entry.first()))
      Bind(Entry.first(), Entry.second);
  for (const MemoryAccess &A : Kernel.Accesses)
    if (A.Address)
      Addresses.push_back(A.Address);
  if (Addresses.empty())
    return std::vector<StrideClass>(Kernel.Accesses.size(),
                                    StrideClass::Uncoalesced);

  unsigned Lanes = std::min<uint64_t>(Gpu.WarpSize, L.threadsPerBlock());
  std::vector<double> Inputs(Names.size() * Lanes);
  for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
    Values[0] = Lane % L.Block[0];
    Values[1] = Lane / L.Block[0] % L.Block[1];
    Values[2] = Lane / (L.Block[0] * L.Block[1]);
    for (unsigned I = 0; I < Names.size(); ++I)
      Inputs[I * Lanes + Lane] = Values[I];
  }
  std::vector<double> Out(Addresses.size() * Lanes);
  CompiledExprs(Addresses, Names).evaluateMany(Inputs, Out, Lanes);

  std::vector<StrideClass> Result;
  const double *Lane0 = Out.data();
  for (const MemoryAccess &A : Kernel.Accesses) {
    StrideClass &Class = Result.emplace_back(StrideClass::Uncoalesced);
    if (!A.Address)
      continue;
    double Largest = 0;
    for (unsigned Lane = 1; Lane < Lanes; ++Lane) {
      double Stride = std::abs(Lane0[Lane] - Lane0[Lane - 1]);
      Largest = std::isnan(Stride) ? INFINITY : std::max(Largest, Stride);
    }
    Lane0 += Lanes;
    if (std::isnan(Largest) || Largest > A.BytesPerThread)
      continue;
    Class = Largest > 0 ? StrideClass::Coalesced : StrideClass::Constant;
  }
  return Result;
}

} // namespace gpuestimate
