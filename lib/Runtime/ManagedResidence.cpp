#include "ManagedResidence.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace gpuestimate {

static constexpr uint64_t MaxFullyHashedBytes = 1 << 20;
static constexpr uint64_t LineBytes = 64, HashedLine = 8;

/// Page N of A: its bytes within A.
static llvm::StringRef bytesOf(const RuntimeAllocation &A, uint64_t N) {
  uint64_t Begin = N * ManagedResidence::PageBytes,
           Size = std::min(ManagedResidence::PageBytes, A.Bytes - Begin);
  return {reinterpret_cast<const char *>(A.Address) + Begin, Size};
}

static uint64_t hashOf(const RuntimeAllocation &A, uint64_t N) {
  llvm::StringRef Bytes = bytesOf(A, N);
  if (A.Bytes <= MaxFullyHashedBytes)
    return llvm::xxh3_64bits(Bytes);
  uint64_t Hash = 0;
  for (uint64_t At = 0; At < Bytes.size(); At += HashedLine * LineBytes)
    Hash = Hash * 31 + llvm::xxh3_64bits(Bytes.substr(At, LineBytes));
  return Hash;
}

/// Whether anything has touched page N: is it in the process's memory?
static bool isTouched(const RuntimeAllocation &A, uint64_t N) {
  static const uint64_t HostPage = uint64_t(sysconf(_SC_PAGESIZE));
  uint64_t Address = A.Address + N * ManagedResidence::PageBytes;
  unsigned char InMemory = 1;
  // Where the host's kernel does not tell, pages count as touched.
  mincore(reinterpret_cast<void *>(Address & ~(HostPage - 1)), HostPage,
          &InMemory);
  return InMemory & 1;
}

/// The pages from Offset on.
static std::pair<uint64_t, uint64_t> range(uint64_t Offset, uint64_t Bytes,
                                           size_t Pages) {
  uint64_t End = (Offset + Bytes + ManagedResidence::PageBytes - 1) /
                 ManagedResidence::PageBytes;
  return {Offset / ManagedResidence::PageBytes, std::min<uint64_t>(End, Pages)};
}

std::vector<ManagedResidence::Page> &
ManagedResidence::pages(const RuntimeAllocation &A) {
  std::vector<Page> &Pages = Allocations[A.Address];
  Pages.resize((A.Bytes + PageBytes - 1) / PageBytes);
  return Pages;
}

ManagedResidence::Migration
ManagedResidence::useOnGpu(const RuntimeAllocation &A, uint64_t Offset,
                           uint64_t Bytes) {
  Migration Result;
  if (OnHost.count(A.Address))
    return Result;
  std::vector<Page> &Pages = pages(A);
  auto [Begin, End] = range(Offset, Bytes, Pages.size());
  for (uint64_t N = Begin; N < End; ++N) {
    Page &P = Pages[N];
    uint64_t Size = bytesOf(A, N).size();
    if (!P.OnGpu) {
      P.OnGpu = true;
      if (!isTouched(A, N)) {
        static const std::string Zeros(PageBytes, '\0');
        RuntimeAllocation Empty = A;
        Empty.Address =
            reinterpret_cast<uint64_t>(Zeros.data()) - N * PageBytes;
        P.Hash = hashOf(Empty, N);
        continue;
      }
      Result.ToGpu += Size;
      P.Hash = hashOf(A, N);
    } else if (uint64_t Hash = isTouched(A, N) ? hashOf(A, N) : P.Hash;
               Hash != P.Hash) {
      Result.ToHost += Size;
      Result.ToGpu += Size;
      P.Hash = Hash;
      P.WrittenByGpu = false;
    }
  }
  return Result;
}

void ManagedResidence::executed(const RuntimeAllocation &A) {
  std::vector<Page> &Pages = pages(A);
  for (uint64_t N = 0; N < Pages.size(); ++N) {
    Page &P = Pages[N];
    if (!P.OnGpu || !isTouched(A, N))
      continue;
    if (uint64_t Hash = hashOf(A, N); Hash != P.Hash) {
      P.Hash = Hash;
      P.WrittenByGpu = true;
    }
  }
}

uint64_t ManagedResidence::useOnHost(const RuntimeAllocation &A,
                                     uint64_t Offset, uint64_t Bytes,
                                     bool OnlyWritten) {
  std::vector<Page> &Pages = pages(A);
  uint64_t Result = 0;
  auto [Begin, End] = range(Offset, Bytes, Pages.size());
  for (uint64_t N = Begin; N < End; ++N) {
    Page &P = Pages[N];
    if (!P.OnGpu || (OnlyWritten && !P.WrittenByGpu))
      continue;
    Result += bytesOf(A, N).size();
    P = Page();
  }
  return Result;
}

} // namespace gpuestimate
