/// \file
/// Memory for compiled kernels. All sections of all kernels lie in one range of
/// addresses, as code of the small code model reaches its constants by 32-bit
/// distances, and LLVM's loader does not say when one is too large: with
/// sections wherever the system has room, a kernel that was compiled among
/// large allocations read its constants at wild addresses.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_SCHEDULE_CODEMEMORY_H
#define GPU_ESTIMATE_LIB_EXECUTE_SCHEDULE_CODEMEMORY_H

#include "llvm/ExecutionEngine/SectionMemoryManager.h"
#include <mutex>

namespace gpuestimate {

class CodeMemory final : public llvm::SectionMemoryManager::MemoryMapper {
public:
  /// Bytes of the range; reserved addresses, which cost no memory.
  static constexpr size_t RangeBytes = size_t(1) << 30;

  CodeMemory();
  ~CodeMemory() override;
  CodeMemory(const CodeMemory &) = delete;
  CodeMemory &operator=(const CodeMemory &) = delete;

  llvm::sys::MemoryBlock
  allocateMappedMemory(llvm::SectionMemoryManager::AllocationPurpose Purpose,
                       size_t Bytes, const llvm::sys::MemoryBlock *Near,
                       unsigned Flags, std::error_code &Error) override;
  std::error_code protectMappedMemory(const llvm::sys::MemoryBlock &Block,
                                      unsigned Flags) override;
  /// Gives back the memory; its addresses are not used again.
  std::error_code releaseMappedMemory(llvm::sys::MemoryBlock &Block) override;

private:
  std::mutex Lock;
  char *Base = nullptr; ///< null: the system has no such range
  size_t Used = 0;
};

} // namespace gpuestimate

#endif
