#include "CodeMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include <sys/mman.h>

using namespace llvm;

namespace gpuestimate {

CodeMemory::CodeMemory() {
  void *Mapping = mmap(nullptr, RangeBytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Mapping != MAP_FAILED)
    Base = static_cast<char *>(Mapping);
}

CodeMemory::~CodeMemory() {
  if (Base)
    munmap(Base, RangeBytes);
}

sys::MemoryBlock
CodeMemory::allocateMappedMemory(SectionMemoryManager::AllocationPurpose,
                                 size_t Bytes, const sys::MemoryBlock *,
                                 unsigned Flags, std::error_code &Error) {
  std::lock_guard<std::mutex> Guard(Lock);
  Bytes =
      alignTo(std::max<size_t>(Bytes, 1), sys::Process::getPageSizeEstimate());
  if (!Base || Bytes > RangeBytes - Used) {
    Error = std::make_error_code(std::errc::not_enough_memory);
    return {};
  }
  sys::MemoryBlock Block(Base + Used, Bytes);
  Error = sys::Memory::protectMappedMemory(Block, Flags);
  if (Error)
    return {};
  Used += Bytes;
  return Block;
}

std::error_code CodeMemory::protectMappedMemory(const sys::MemoryBlock &Block,
                                                unsigned Flags) {
  return sys::Memory::protectMappedMemory(Block, Flags);
}

std::error_code CodeMemory::releaseMappedMemory(sys::MemoryBlock &Block) {
  if (madvise(Block.base(), Block.allocatedSize(), MADV_DONTNEED) != 0)
    return std::error_code(errno, std::generic_category());
  Block = {};
  return {};
}

} // namespace gpuestimate
