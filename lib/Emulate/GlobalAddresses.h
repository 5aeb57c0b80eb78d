/// \file
/// Addresses of a module's variables, and the bits of its constants.
#ifndef GPU_ESTIMATE_LIB_EMULATE_GLOBALADDRESSES_H
#define GPU_ESTIMATE_LIB_EMULATE_GLOBALADDRESSES_H

#include "gpu-estimate/Emulate/DeviceMemory.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"

namespace gpuestimate {

/// Address ranges of shared memory (of the thread block) and of private memory
/// (of the lane), below 2^32 because AMDGPU's pointers to them have 32 bits.
inline constexpr uint64_t SharedBase = 0x10000000, SharedLimit = 0x20000000,
                          LocalBase = 0x20000000, LocalLimit = 0x40000000;

class GlobalAddresses {
public:
  /// Adds variables of global and constant memory to Memory, unless Given
  /// returns the address of one that Memory holds already (0: it does not).
  GlobalAddresses(
      const llvm::Module &M, DeviceMemory &Memory,
      llvm::function_ref<uint64_t(const llvm::GlobalVariable &)> Given);

  /// Bytes of static shared memory; dynamic shared memory follows it.
  uint64_t sharedBytes() const { return SharedBytes; }
  const llvm::DataLayout &layout() const { return Layout; }
  /// Appends the cells of C; false if its value is not known.
  bool cells(const llvm::Constant *C,
             llvm::SmallVectorImpl<uint64_t> &Cells) const;

private:
  void initialise(uint64_t Address, const llvm::Constant *C);

  const llvm::DataLayout &Layout;
  DeviceMemory &Memory;
  llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> Addresses;
  uint64_t SharedBytes = 0;
};

} // namespace gpuestimate

#endif
