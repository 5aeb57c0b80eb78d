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

bool DeviceMemory::read(uint64_t Address, void *Into, unsigned Bytes) {
  if (!contains(Address, Bytes) || isFull())
    return false;
  auto *To = static_cast<uint8_t *>(Into);
  while (Bytes) {
    unsigned At = Address % PageBytes, N = std::min(Bytes, PageBytes - At);
    std::memcpy(To, page(Address / PageBytes) + At, N);
    Address += N;
    To += N;
    Bytes -= N;
  }
  return true;
}

bool DeviceMemory::write(uint64_t Address, const void *From, unsigned Bytes) {
  if (!contains(Address, Bytes) || isFull())
    return false;
  const auto *Source = static_cast<const uint8_t *>(From);
  while (Bytes) {
    unsigned At = Address % PageBytes, N = std::min(Bytes, PageBytes - At);
    std::memcpy(page(Address / PageBytes) + At, Source, N);
    Address += N;
    Source += N;
    Bytes -= N;
  }
  return true;
}

} // namespace gpuestimate
