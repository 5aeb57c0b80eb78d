#include "gpu-estimate/Model/Transform/PrivateArrays.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

std::vector<std::string> localArrays(const KernelModel &Kernel) {
  std::vector<std::string> Names;
  for (const MemoryAccess &Access : Kernel.Accesses)
    if (Access.Space == MemorySpace::Local && !is_contained(Names, Access.Base))
      Names.push_back(Access.Base);
  return Names;
}

KernelModel withArrayInRegisters(const KernelModel &Kernel, StringRef Array) {
  KernelModel Changed = Kernel;
  std::vector<std::optional<unsigned>> NewIndex; // [access]
  Changed.Accesses.clear();
  uint64_t Bytes = 0;
  for (const MemoryAccess &Access : Kernel.Accesses) {
    bool Gone = Access.Space == MemorySpace::Local && Access.Base == Array;
    if (Gone) {
      NewIndex.emplace_back();
      Bytes = std::max(Bytes, Access.BaseBytes.value_or(Kernel.Res.LocalBytes));
    } else {
      NewIndex.emplace_back(Changed.Accesses.size());
      Changed.Accesses.push_back(Access);
    }
  }
  for (Operation &Op : Changed.Operations)
    if (!Op.renumberAccess(NewIndex))
      Op.Class = OpClass::Move;
  Changed.Res.RegistersPerThread += Bytes / 4;
  Changed.Res.LocalBytes -= std::min(Bytes, Changed.Res.LocalBytes);
  return Changed;
}

const Loop *loopOverArray(const KernelModel &Kernel, StringRef Array) {
  const Loop *Found = nullptr;
  for (const MemoryAccess &Access : Kernel.Accesses) {
    if (Access.Space != MemorySpace::Local || Access.Base != Array)
      continue;
    if (!Access.Address || Access.DataDependent)
      return nullptr;
    for (const Loop &L : Kernel.Loops)
      if (L.Location.isValid() && Access.Address.dependsOn(L.Counter))
        Found = &L;
  }
  return Found;
}

} // namespace gpuestimate
