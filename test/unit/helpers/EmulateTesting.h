/// \file
/// Kernels of a CUDA text, emulated on buffers of the test.
#ifndef GPU_ESTIMATE_TEST_UNIT_EMULATETESTING_H
#define GPU_ESTIMATE_TEST_UNIT_EMULATETESTING_H

#include "FrontendTesting.h"
#include "gpu-estimate/Emulate/Emulate.h"
#include "gpu-estimate/Lowering/LowerKernel.h"
#include "llvm/ADT/bit.h"

namespace gpuestimate {

/// The first kernel of a text, run on values and vectors in argument order.
class EmulatedKernel {
public:
  explicit EmulatedKernel(llvm::StringRef Text,
                          std::vector<std::string> ClangArgs = {})
      : Unit(parseText(Text, std::move(ClangArgs))) {
    prepareForAnalysis(*Unit.Module);
    Request.Kernel = Unit.Module->getFunction(Unit.Kernels.front().Mangled);
    Request.Memory = &Memory;
    Request.Warps = 1 << 20;
  }

  EmulatedKernel &pass(uint64_t Bits) {
    Request.Arguments.push_back({Bits});
    return *this;
  }
  template <typename T> EmulatedKernel &pass(std::vector<T> &V) {
    BufferData Data;
    Data.Size = V.size() * sizeof(T);
    uint64_t Address = Memory.allocate(
        "buffer " + std::to_string(Buffers.size()), std::move(Data));
    Memory.write(Address, V.data(), V.size() * sizeof(T));
    Buffers.push_back({Address, V.data(), unsigned(V.size() * sizeof(T))});
    return pass(Address);
  }

  llvm::Expected<Emulation> run(std::array<uint64_t, 3> Grid,
                                std::array<uint64_t, 3> Block) {
    Request.L.Grid = Grid;
    Request.L.Block = Block;
    llvm::Expected<Emulation> E = emulate(Request);
    for (const HostBuffer &B : Buffers)
      Memory.read(B.Address, B.Host, B.Bytes);
    return E;
  }
  /// Fails the test when the emulation does not come to its end.
  Emulation runAll(std::array<uint64_t, 3> Grid,
                   std::array<uint64_t, 3> Block) {
    llvm::Expected<Emulation> E = run(Grid, Block);
    if (!E) {
      ADD_FAILURE() << llvm::toString(E.takeError());
      return Emulation();
    }
    EXPECT_FALSE(E->Stop) << E->Stop->Reason;
    return std::move(*E);
  }

  EmulationRequest Request;
  DeviceMemory Memory;
  TranslationUnit Unit;

private:
  struct HostBuffer {
    uint64_t Address;
    void *Host;
    unsigned Bytes;
  };
  std::vector<HostBuffer> Buffers;
};

} // namespace gpuestimate

#endif
