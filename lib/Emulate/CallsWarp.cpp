/// \file
/// Coordinates, and what the lanes of a warp exchange.
#include "Warp.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace gpuestimate {

bool Warp::coordinate(const Decoded &D, uint64_t Mask) {
  const gpuestimate::Launch &L = Launch.Request.L;
  unsigned Axis = D.Extra % 3;
  each(Mask, [&](unsigned Lane) {
    uint64_t Thread = uint64_t(Index) * Lanes + Lane;
    const std::array<uint64_t, 3> Own = {Thread % L.Block[0],
                                         Thread / L.Block[0] % L.Block[1],
                                         Thread / (L.Block[0] * L.Block[1])};
    cell(D.Result, Lane) = D.Extra < 3   ? Own[Axis]
                           : D.Extra < 6 ? Block.Index[Axis]
                           : D.Extra < 9 ? L.Block[Axis]
                                         : L.Grid[Axis];
  });
  return true;
}

bool Warp::laneRegister(const Decoded &D, uint64_t Mask) {
  each(Mask, [&](unsigned L) {
    uint64_t Own = uint64_t(1) << L, Below = Own - 1;
    const uint64_t Values[] = {L,           Index,          Own,    Below,
                               Below | Own, ~(Below | Own), ~Below, Lanes};
    cell(D.Result, L) = cut(Values[D.Extra], D.ResultBits);
  });
  return true;
}

/// The dispatch packet: sizes of the block (16 bits each) at 4, those of the
/// grid in threads (32 bits each) at 12.
uint64_t LaunchState::dispatchPacket() {
  if (Packet)
    return Packet;
  BufferData Data;
  Data.Size = 64;
  Packet = Memory.allocate("the dispatch packet", Data);
  for (unsigned A = 0; A < 3; ++A) {
    auto Threads = static_cast<uint16_t>(Request.L.Block[A]);
    auto Grid = static_cast<uint32_t>(Request.L.Grid[A] * Request.L.Block[A]);
    Memory.write(Packet + 4 + 2 * A, &Threads, 2);
    Memory.write(Packet + 12 + 4 * A, &Grid, 4);
  }
  return Packet;
}

/// The implicit arguments: blocks of the grid (32 bits each) at 0, threads of a
/// block (16 bits each) at 12; the rest, of a grid without one, stays 0.
uint64_t LaunchState::implicitArguments() {
  if (Implicit)
    return Implicit;
  BufferData Data;
  Data.Size = 256;
  Implicit = Memory.allocate("the implicit arguments", Data);
  for (unsigned A = 0; A < 3; ++A) {
    auto Blocks = static_cast<uint32_t>(Request.L.Grid[A]);
    auto Threads = static_cast<uint16_t>(Request.L.Block[A]);
    Memory.write(Implicit + 4 * A, &Blocks, 4);
    Memory.write(Implicit + 12 + 2 * A, &Threads, 2);
  }
  return Implicit;
}

bool Warp::packet(const Decoded &D, uint64_t Mask) {
  uint64_t Address =
      D.Extra ? Launch.implicitArguments() : Launch.dispatchPacket();
  each(Mask, [&](unsigned L) { cell(D.Result, L) = Address; });
  return true;
}

/// As the PTX manual (shfl.sync) has it: operand c holds the clamp and, above
/// it, the mask of the segment.
bool Warp::shuffle(const Decoded &D, uint64_t Mask) {
  StringRef Name = cast<CallBase>(D.I)->getCalledFunction()->getName();
  unsigned First = Name.consume_front("llvm.nvvm.shfl.sync.") ? 1 : 0;
  Name.consume_front("llvm.nvvm.shfl.");
  enum {
    Up,
    Down,
    Butterfly,
    Indexed
  } Kind = Name.starts_with("up")     ? Up
           : Name.starts_with("down") ? Down
           : Name.starts_with("bfly") ? Butterfly
                                      : Indexed;
  std::vector<std::pair<uint64_t, bool>> Results(Lanes);
  each(Mask, [&](unsigned L) {
    int B = cell(D.Operands[First + 1], L) & 31,
        C = cell(D.Operands[First + 2], L), Lane = L;
    int Clamp = C & 31, Segment = C >> 8 & 31;
    int Least = Lane & Segment, Most = Least | (Clamp & ~Segment), From = Lane;
    bool Valid = true;
    switch (Kind) {
    case Up:
      From = Lane - B;
      Valid = From >= Most;
      break;
    case Down:
      From = Lane + B;
      Valid = From <= Most;
      break;
    case Butterfly:
      From = Lane ^ B;
      Valid = From <= Most;
      break;
    case Indexed:
      From = Least | (B & ~Segment);
      Valid = From <= Most;
      break;
    }
    Results[L] = {cell(D.Operands[First], Valid ? From : L), Valid};
  });
  each(Mask, [&](unsigned L) {
    cell(D.Result, L) = Results[L].first;
    if (D.Cells > 1)
      cell(D.Result + 1, L) = Results[L].second;
  });
  return true;
}

bool Warp::vote(const Decoded &D, uint64_t Mask) {
  uint64_t Votes = Mask;
  if (!D.Operands.empty()) {
    Votes = 0;
    each(Mask,
         [&](unsigned L) { Votes |= (cell(D.Operands.back(), L) & 1) << L; });
  }
  uint64_t Result = D.Extra == 0   ? Votes == Mask
                    : D.Extra == 1 ? Votes != 0
                    : D.Extra == 2 ? Votes == Mask || Votes == 0
                                   : Votes;
  each(Mask,
       [&](unsigned L) { cell(D.Result, L) = cut(Result, D.ResultBits); });
  return true;
}

bool Warp::match(const Decoded &D, uint64_t Mask) {
  each(Mask, [&](unsigned L) {
    uint64_t Same = 0;
    each(Mask, [&](unsigned Other) {
      if (cell(D.Operands[1], L) == cell(D.Operands[1], Other))
        Same |= uint64_t(1) << Other;
    });
    cell(D.Result, L) = Same;
  });
  return true;
}

bool Warp::redux(const Decoded &D, uint64_t Mask) {
  StringRef Name = cast<CallBase>(D.I)->getCalledFunction()->getName();
  Name.consume_front("llvm.nvvm.redux.sync.");
  std::optional<uint64_t> Sum;
  each(Mask, [&](unsigned L) {
    uint64_t V = cell(D.Operands[0], L);
    if (!Sum) {
      Sum = V;
      return;
    }
    int64_t A = withSign(*Sum, 32), B = withSign(V, 32);
    *Sum = Name == "add"    ? cut(*Sum + V, 32)
           : Name == "and"  ? *Sum & V
           : Name == "or"   ? *Sum | V
           : Name == "xor"  ? *Sum ^ V
           : Name == "umin" ? std::min(*Sum, V)
           : Name == "umax" ? std::max(*Sum, V)
           : Name == "min"  ? cut(uint64_t(std::min(A, B)), 32)
                            : cut(uint64_t(std::max(A, B)), 32);
  });
  each(Mask, [&](unsigned L) { cell(D.Result, L) = *Sum; });
  return true;
}

bool Warp::readLane(const Decoded &D, uint64_t Mask) {
  unsigned First = countr_zero(Mask);
  unsigned From = D.Extra ? cell(D.Operands[1], First) % Lanes : First;
  for (unsigned C = 0; C < D.Cells; ++C) {
    uint64_t V = cell(D.Operands[0] + C, From);
    each(Mask, [&](unsigned L) { cell(D.Result + C, L) = V; });
  }
  return true;
}

/// Bits of the mask below the lane, in its lower or upper half, and a sum.
bool Warp::mbcnt(const Decoded &D, uint64_t Mask) {
  each(Mask, [&](unsigned L) {
    uint64_t Below = (uint64_t(1) << L) - 1;
    uint64_t Half = D.Extra ? Below >> 32 : cut(Below, 32);
    cell(D.Result, L) =
        cell(D.Operands[1], L) + popcount(Half & cell(D.Operands[0], L));
  });
  return true;
}

/// The first operand is four times the lane to read from.
bool Warp::permuteLanes(const Decoded &D, uint64_t Mask) {
  std::vector<uint64_t> Values(Lanes);
  each(Mask, [&](unsigned L) {
    Values[L] = cell(D.Operands[1], cell(D.Operands[0], L) / 4 % Lanes);
  });
  each(Mask, [&](unsigned L) { cell(D.Result, L) = Values[L]; });
  return true;
}

} // namespace gpuestimate
