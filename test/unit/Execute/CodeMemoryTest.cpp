/// \file
/// Sections of compiled kernels lie within the reach of 32-bit distances.
#include "Execute/Schedule/CodeMemory.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <sys/mman.h>

using namespace gpuestimate;
using llvm::SectionMemoryManager;
using llvm::sys::Memory;
using llvm::sys::MemoryBlock;

namespace {

TEST(CodeMemory, SectionsAreCloseWhateverLiesInBetween) {
  CodeMemory Code;
  std::error_code Error;
  constexpr unsigned Flags = Memory::MF_READ | Memory::MF_WRITE;
  auto Allocate = [&](size_t Bytes) {
    return Code.allocateMappedMemory(
        SectionMemoryManager::AllocationPurpose::ROData, Bytes, nullptr, Flags,
        Error);
  };
  MemoryBlock First = Allocate(5000);
  ASSERT_FALSE(Error);
  // A program's buffers.
  constexpr size_t Large = size_t(8) << 30;
  void *Buffer = mmap(nullptr, Large, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(Buffer, MAP_FAILED);
  MemoryBlock Second = Allocate(5000);
  ASSERT_FALSE(Error);
  EXPECT_LT(std::abs(static_cast<char *>(Second.base()) -
                     static_cast<char *>(First.base())),
            std::ptrdiff_t(1) << 31);
  static_cast<char *>(Second.base())[4999] = 1; // it can be written
  munmap(Buffer, Large);

  EXPECT_FALSE(
      Code.protectMappedMemory(Second, Memory::MF_READ | Memory::MF_EXEC));
  EXPECT_FALSE(Code.releaseMappedMemory(Second));
  EXPECT_EQ(Second.base(), nullptr);
}

TEST(CodeMemory, SaysWhenTheRangeIsFull) {
  CodeMemory Code;
  std::error_code Error;
  auto Allocate = [&](size_t Bytes) {
    return Code.allocateMappedMemory(
        SectionMemoryManager::AllocationPurpose::Code, Bytes, nullptr,
        Memory::MF_READ | Memory::MF_WRITE, Error);
  };
  EXPECT_EQ(Allocate(CodeMemory::RangeBytes + 1).base(), nullptr);
  EXPECT_TRUE(bool(Error));
  EXPECT_NE(Allocate(1).base(), nullptr);
  EXPECT_FALSE(Error);
}

} // namespace
