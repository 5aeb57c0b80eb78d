#include "RepeatedLaunches.h"

#include "MemoryTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

using namespace llvm;

namespace gpuestimate {

/// Bytes of results that are kept in all.
static constexpr uint64_t MaxKeptBytes = uint64_t(1) << 30;
/// Launches whose results are known.
static constexpr size_t MaxLaunches = 4096;

static uint64_t hashOf(ArrayRef<uint64_t> Numbers) {
  return xxh3_64bits(
      ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(Numbers.data()),
                        Numbers.size() * sizeof(uint64_t)));
}

static const RuntimeAllocation *allocation(const MemoryTable &Memory,
                                           uint64_t Address) {
  return Memory.find(reinterpret_cast<const void *>(Address));
}

/// The bytes of an allocation.
static StringRef bytesOf(const RuntimeAllocation &A) {
  return StringRef(reinterpret_cast<const char *>(A.Address), A.Bytes);
}

void RepeatedLaunches::wrote(const void *Address) {
  if (const RuntimeAllocation *A = Memory.find(Address))
    Contents[A->Address] = hashOf({Epoch, ++Clock});
}

void RepeatedLaunches::wroteAnything() {
  Contents.clear();
  ++Epoch;
}

void RepeatedLaunches::wrote(const void *Address, uint64_t Bytes,
                             uint64_t Source) {
  const RuntimeAllocation *A = Memory.find(Address);
  if (!A)
    return;
  uint64_t Offset = reinterpret_cast<uint64_t>(Address) - A->Address;
  bool IsWhole = Offset == 0 && Bytes == A->Bytes;
  Contents[A->Address] =
      IsWhole ? Source : hashOf({contents(A->Address), Offset, Bytes, Source});
}

uint64_t RepeatedLaunches::contents(uint64_t Address) const {
  // The host writes page-locked and managed memory as it likes.
  if (const RuntimeAllocation *A = allocation(Memory, Address);
      A && (A->isPageLocked() || A->Kind == RunMemory::Managed))
    return xxh3_64bits(bytesOf(*A));
  auto Entry = Contents.find(Address);
  return Entry == Contents.end() ? hashOf({Epoch, 0, Address}) : Entry->second;
}

std::vector<uint64_t>
RepeatedLaunches::contents(ArrayRef<uint64_t> Addresses) const {
  std::vector<uint64_t> Result;
  for (uint64_t Address : Addresses)
    Result.push_back(contents(Address));
  return Result;
}

/// Adds the allocations that the pointers in an argument's bytes point into.
/// False if a pointer points to other memory.
static bool addAllocations(const MemoryTable &Memory, StringRef Bytes,
                           std::vector<uint64_t> &To) {
  bool IsPointer = Bytes.size() == sizeof(uint64_t);
  for (size_t At = 0; At + sizeof(uint64_t) <= Bytes.size();
       At += sizeof(uint64_t)) {
    uint64_t Address;
    std::memcpy(&Address, Bytes.data() + At, sizeof(Address));
    if (const RuntimeAllocation *A = allocation(Memory, Address))
      To.push_back(A->Address);
    else if (IsPointer && Address)
      return false;
  }
  return true;
}

/// Equal for launches of one kernel with the same shape and arguments.
static std::string describe(uint64_t Module, const KernelOperation &K) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << Module << ' ' << K.Function->Mangled << ' ';
  for (unsigned I = 0; I < 3; ++I)
    OS << K.Grid[I] << ' ' << K.Block[I] << ' ';
  OS << K.DynamicSharedBytes << ' ' << K.Cooperative;
  for (const std::string &Bytes : K.Arguments)
    OS << ' ' << Bytes;
  return Text;
}

RepeatedLaunches::Inspection
RepeatedLaunches::inspect(Executor &E, uint64_t LoadedModule,
                          const KernelOperation &K) {
  auto [Entry, IsNew] =
      Effects.try_emplace({LoadedModule, K.Function->Mangled});
  const KernelEffects &Of = Entry->second;
  if (IsNew) {
    Expected<KernelEffects> Read = E.effects(LoadedModule, K.Function->Mangled);
    if (Read)
      Entry->second = std::move(*Read);
    else
      consumeError(Read.takeError()); // the launch tells
  }
  Inspection I;
  I.IsKnown = Of.AreKnown;
  auto Add = [&](ArrayRef<unsigned> Parameters, ArrayRef<std::string> Variables,
                 std::vector<uint64_t> &To) {
    for (unsigned P : Parameters)
      I.IsKnown &=
          P < K.Arguments.size() && addAllocations(Memory, K.Arguments[P], To);
    for (const std::string &Name : Variables) {
      Expected<void *> Storage = E.variable(LoadedModule, Name);
      I.IsKnown &= bool(Storage);
      if (Storage)
        To.push_back(reinterpret_cast<uint64_t>(*Storage));
      else
        consumeError(Storage.takeError());
    }
    sort(To);
    To.erase(std::unique(To.begin(), To.end()), To.end());
  };
  Add(Of.ReadParameters, Of.ReadVariables, I.Read);
  Add(Of.WrittenParameters, Of.WrittenVariables, I.Written);
  if (!I.IsKnown)
    return I;
  I.Kernel = describe(LoadedModule, K);
  std::vector<uint64_t> Numbers = contents(I.Read);
  append_range(Numbers, contents(I.Written));
  Numbers.push_back(xxh3_64bits(I.Kernel));
  I.Before = hashOf(Numbers);
  return I;
}

bool RepeatedLaunches::restore(const Inspection &I) {
  if (!I.IsKnown)
    return false;
  // A kernel that does not read what it writes can be repeated at will.
  bool ReadsResults =
      any_of(I.Written, [&](uint64_t At) { return is_contained(I.Read, At); });
  if (auto Before = Last.find(I.Kernel);
      !ReadsResults && Before != Last.end()) {
    std::vector<uint64_t> Now = contents(I.Read);
    append_range(Now, contents(I.Written));
    if (Before->second == Now)
      return true;
  }
  auto Entry = Known.find(I.Before);
  if (Entry == Known.end() || Entry->second.Bytes.empty())
    return false;
  const Results &R = Entry->second;
  for (auto [Address, Number, Bytes] : zip(I.Written, R.Contents, R.Bytes)) {
    std::memcpy(reinterpret_cast<void *>(Address), Bytes.data(), Bytes.size());
    Contents[Address] = Number;
  }
  return true;
}

/// Keeps a copy of what the launch has written; false if it is too much.
bool RepeatedLaunches::keep(const Inspection &I, Results &R) {
  uint64_t Total = 0;
  for (uint64_t Address : I.Written) {
    const RuntimeAllocation *A = allocation(Memory, Address);
    if (!A) // a variable that the host never asked for
      return false;
    Total += A->Bytes;
  }
  if (Total > MaxKeptBytes - KeptBytes)
    return false;
  KeptBytes += Total;
  for (uint64_t Address : I.Written)
    R.Bytes.push_back(bytesOf(*allocation(Memory, Address)).str());
  return true;
}

void RepeatedLaunches::executed(const Inspection &I, bool Completed) {
  if (!I.IsKnown) {
    wroteAnything();
    return;
  }
  uint64_t Which = Completed ? I.Before : ++Clock;
  for (auto [Number, Address] : enumerate(I.Written))
    Contents[Address] = hashOf({Which, Number, Epoch});
  if (!Completed)
    return;
  if (Last.size() >= MaxLaunches)
    Last.clear();
  std::vector<uint64_t> Now = contents(I.Read);
  append_range(Now, contents(I.Written));
  Last[I.Kernel] = std::move(Now);
  if (Known.size() >= MaxLaunches || KeptBytes >= MaxKeptBytes / 2) {
    Known.clear();
    KeptBytes = 0;
  }
  // Few launches ever come back: the second one keeps the results.
  auto [Entry, IsFirst] = Known.try_emplace(I.Before);
  if (IsFirst || !Entry->second.Bytes.empty())
    return;
  Entry->second.Contents = contents(I.Written);
  keep(I, Entry->second);
}

} // namespace gpuestimate
