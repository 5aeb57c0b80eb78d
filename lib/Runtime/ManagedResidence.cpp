#include "ManagedResidence.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace gpuestimate {

static constexpr uint64_t MaxFullyHashedBytes = 1 << 20,
                          MaxOftenHashedBytes = 64 << 20;
static constexpr uint64_t LineBytes = 64;

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
  uint64_t Hash = 0, Step = A.Bytes <= MaxOftenHashedBytes
                                ? 8 * LineBytes
                                : ManagedResidence::PageBytes;
  for (uint64_t At = 0; At < Bytes.size(); At += Step)
    Hash = Hash * 31 + llvm::xxh3_64bits(Bytes.substr(At, LineBytes));
  return Hash;
}

namespace {

/// Which pages of an allocation anything has touched: those that are in the
/// process's memory.
class TouchedPages {
public:
  explicit TouchedPages(const RuntimeAllocation &A)
      : Shift(A.Address % HostPage),
        InMemory((Shift + A.Bytes + HostPage - 1) / HostPage, 1) {
    // Where the host's kernel does not tell, pages count as touched.
    if (uint64_t(sysconf(_SC_PAGESIZE)) != HostPage ||
        mincore(reinterpret_cast<void *>(A.Address - Shift), Shift + A.Bytes,
                InMemory.data()) != 0)
      InMemory.assign(InMemory.size(), 1);
  }
  bool contain(uint64_t N) const {
    return InMemory[(Shift + N * ManagedResidence::PageBytes) / HostPage] & 1;
  }

private:
  static constexpr uint64_t HostPage = 4096;
  uint64_t Shift; ///< of the allocation in its first page
  std::vector<unsigned char> InMemory;
};

} // namespace

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
  const TouchedPages Touched(A);
  auto [Begin, End] = range(Offset, Bytes, Pages.size());
  for (uint64_t N = Begin; N < End; ++N) {
    Page &P = Pages[N];
    uint64_t Size = bytesOf(A, N).size();
    if (!P.OnGpu) {
      P.OnGpu = true;
      if (!Touched.contain(N)) {
        static const std::string Zeros(PageBytes, '\0');
        RuntimeAllocation Empty = A;
        Empty.Address =
            reinterpret_cast<uint64_t>(Zeros.data()) - N * PageBytes;
        P.Hash = hashOf(Empty, N);
        continue;
      }
      Result.ToGpu += Size;
      P.Hash = hashOf(A, N);
    } else if (uint64_t Hash = Touched.contain(N) ? hashOf(A, N) : P.Hash;
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
  const TouchedPages Touched(A);
  for (uint64_t N = 0; N < Pages.size(); ++N) {
    Page &P = Pages[N];
    if (!P.OnGpu || !Touched.contain(N))
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
