#include "gpu-estimate/Emulate/DeviceMemory.h"
#include <algorithm>
#include <cstring>

namespace gpuestimate {

uint64_t DeviceMemory::allocate(std::string Name, BufferData Data) {
  Buffers.push_back({std::move(Name), std::move(Data)});
  return Buffers.size() * Window;
}

bool DeviceMemory::contains(uint64_t Address, unsigned Bytes) const {
  uint64_t Number = Address / Window, First = Address % Window;
  if (Number == 0 || Number > Buffers.size())
    return false;
  uint64_t Size = Buffers[Number - 1].Data.Size.value_or(Window);
  return First <= Size && Bytes <= Size - First;
}

std::string DeviceMemory::nameOf(uint64_t Address) const {
  uint64_t Number = Address / Window;
  return Number == 0 || Number > Buffers.size() ? "" : Buffers[Number - 1].Name;
}

uint8_t *DeviceMemory::page(uint64_t Number) {
  if (Number == LastNumber)
    return Last->data();
  std::unique_ptr<Page> &P = Pages[Number];
  if (!P) {
    P = std::make_unique<Page>();
    uint64_t First = Number * PageBytes;
    Buffers[First / Window - 1].Data.fill(First % Window, *P);
  }
  LastNumber = Number;
  Last = P.get();
  return P->data();
}

bool DeviceMemory::read(uint64_t Address, void *Target, unsigned Bytes) {
  if (!contains(Address, Bytes) || isFull())
    return false;
  auto *Next = static_cast<uint8_t *>(Target);
  while (Bytes) {
    unsigned PageOffset = Address % PageBytes,
             N = std::min(Bytes, PageBytes - PageOffset);
    std::memcpy(Next, page(Address / PageBytes) + PageOffset, N);
    Address += N;
    Next += N;
    Bytes -= N;
  }
  return true;
}

bool DeviceMemory::write(uint64_t Address, const void *Source, unsigned Bytes) {
  if (!contains(Address, Bytes) || isFull())
    return false;
  const auto *Next = static_cast<const uint8_t *>(Source);
  while (Bytes) {
    unsigned PageOffset = Address % PageBytes,
             N = std::min(Bytes, PageBytes - PageOffset);
    std::memcpy(page(Address / PageBytes) + PageOffset, Next, N);
    Address += N;
    Next += N;
    Bytes -= N;
  }
  return true;
}

} // namespace gpuestimate
