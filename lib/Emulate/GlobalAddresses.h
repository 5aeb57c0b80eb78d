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

/// Shared and private memory have addresses of their own below 2^32 (AMDGPU's
/// pointers to them have 32 bits), which mean the block's and the lane's.
inline constexpr uint64_t SharedBase = 0x10000000, SharedLimit = 0x20000000,
                          LocalBase = 0x20000000, LocalLimit = 0x40000000;

class GlobalAddresses {
public:
  /// Variables of global and constant memory become buffers of Memory, unless
  /// Given has put one there already (0: it has not).
  GlobalAddresses(
      const llvm::Module &M, DeviceMemory &Memory,
      llvm::function_ref<uint64_t(const llvm::GlobalVariable &)> Given);

  /// Static shared memory; dynamic memory begins behind it.
  uint64_t sharedBytes() const { return SharedBytes; }
  const llvm::DataLayout &layout() const { return Layout; }
  /// Appends the cells of C; false when it is not a constant that is known.
  bool cells(const llvm::Constant *C,
             llvm::SmallVectorImpl<uint64_t> &Out) const;

private:
  void initialise(uint64_t Address, const llvm::Constant *C);

  const llvm::DataLayout &Layout;
  DeviceMemory &Memory;
  llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> Addresses;
  uint64_t SharedBytes = 0;
};

} // namespace gpuestimate

#endif
