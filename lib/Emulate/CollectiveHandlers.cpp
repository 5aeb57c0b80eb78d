/// \file
/// Coordinates of threads, and the exchange of values between lanes.
#include "Handlers.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace gpuestimate {

bool coordinate(WarpState &W, const Decoded &D, uint64_t Mask) {
  const gpuestimate::Launch &L = W.launch().Request.L;
  unsigned Axis = D.Extra % 3;
  forEachLane(Mask, [&](unsigned Lane) {
    uint64_t Thread = uint64_t(W.index()) * W.lanes() + Lane;
    const std::array<uint64_t, 3> Self = {Thread % L.Block[0],
                                          Thread / L.Block[0] % L.Block[1],
                                          Thread / (L.Block[0] * L.Block[1])};
    W.cell(D.Result, Lane) = D.Extra < 3   ? Self[Axis]
                             : D.Extra < 6 ? W.block().Index[Axis]
                             : D.Extra < 9 ? L.Block[Axis]
                                           : L.Grid[Axis];
  });
  return true;
}

bool laneRegister(WarpState &W, const Decoded &D, uint64_t Mask) {
  forEachLane(Mask, [&](unsigned L) {
    uint64_t Self = uint64_t(1) << L, Below = Self - 1;
    const uint64_t Values[] = {L,      W.index(),    Self,
                               Below,  Below | Self, ~(Below | Self),
                               ~Below, W.lanes()};
    W.cell(D.Result, L) = truncate(Values[D.Extra], D.ResultBits);
  });
  return true;
}

bool launchPacket(WarpState &W, const Decoded &D, uint64_t Mask) {
  uint64_t Address =
      D.Extra ? W.launch().implicitArguments() : W.launch().dispatchPacket();
  forEachLane(Mask, [&](unsigned L) { W.cell(D.Result, L) = Address; });
  return true;
}

/// shfl.sync of the PTX manual: operand c holds the clamp in bits 0-4 and the
/// segment mask in bits 8-12.
bool shuffleLanes(WarpState &W, const Decoded &D, uint64_t Mask) {
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
  std::vector<std::pair<uint64_t, bool>> Results(W.lanes());
  forEachLane(Mask, [&](unsigned L) {
    int B = W.cell(D.Operands[First + 1], L) & 31,
        C = W.cell(D.Operands[First + 2], L), Lane = L;
    int Clamp = C & 31, Segment = C >> 8 & 31;
    int FirstLane = Lane & Segment, LastLane = FirstLane | (Clamp & ~Segment),
        SourceLane = Lane;
    bool Valid = true;
    switch (Kind) {
    case Up:
      SourceLane = Lane - B;
      Valid = SourceLane >= LastLane;
      break;
    case Down:
      SourceLane = Lane + B;
      Valid = SourceLane <= LastLane;
      break;
    case Butterfly:
      SourceLane = Lane ^ B;
      Valid = SourceLane <= LastLane;
      break;
    case Indexed:
      SourceLane = FirstLane | (B & ~Segment);
      Valid = SourceLane <= LastLane;
      break;
    }
    Results[L] = {W.cell(D.Operands[First], Valid ? SourceLane : L), Valid};
  });
  forEachLane(Mask, [&](unsigned L) {
    W.cell(D.Result, L) = Results[L].first;
    if (D.Cells > 1)
      W.cell(D.Result + 1, L) = Results[L].second;
  });
  return true;
}

bool voteLanes(WarpState &W, const Decoded &D, uint64_t Mask) {
  uint64_t Votes = Mask;
  if (!D.Operands.empty()) {
    Votes = 0;
    forEachLane(Mask, [&](unsigned L) {
      Votes |= (W.cell(D.Operands.back(), L) & 1) << L;
    });
  }
  uint64_t Result = D.Extra == 0   ? Votes == Mask
                    : D.Extra == 1 ? Votes != 0
                    : D.Extra == 2 ? Votes == Mask || Votes == 0
                                   : Votes;
  forEachLane(Mask, [&](unsigned L) {
    W.cell(D.Result, L) = truncate(Result, D.ResultBits);
  });
  return true;
}

bool matchLanes(WarpState &W, const Decoded &D, uint64_t Mask) {
  forEachLane(Mask, [&](unsigned L) {
    uint64_t Equal = 0;
    forEachLane(Mask, [&](unsigned Other) {
      if (W.cell(D.Operands[1], L) == W.cell(D.Operands[1], Other))
        Equal |= uint64_t(1) << Other;
    });
    W.cell(D.Result, L) = Equal;
  });
  return true;
}

bool reduceLanes(WarpState &W, const Decoded &D, uint64_t Mask) {
  StringRef Name = cast<CallBase>(D.I)->getCalledFunction()->getName();
  Name.consume_front("llvm.nvvm.redux.sync.");
  std::optional<uint64_t> Sum;
  forEachLane(Mask, [&](unsigned L) {
    uint64_t V = W.cell(D.Operands[0], L);
    if (!Sum) {
      Sum = V;
      return;
    }
    int64_t A = signExtend(*Sum, 32), B = signExtend(V, 32);
    *Sum = Name == "add"    ? truncate(*Sum + V, 32)
           : Name == "and"  ? *Sum & V
           : Name == "or"   ? *Sum | V
           : Name == "xor"  ? *Sum ^ V
           : Name == "umin" ? std::min(*Sum, V)
           : Name == "umax" ? std::max(*Sum, V)
           : Name == "min"  ? truncate(uint64_t(std::min(A, B)), 32)
                            : truncate(uint64_t(std::max(A, B)), 32);
  });
  forEachLane(Mask, [&](unsigned L) { W.cell(D.Result, L) = *Sum; });
  return true;
}

bool readLane(WarpState &W, const Decoded &D, uint64_t Mask) {
  unsigned First = countr_zero(Mask);
  unsigned SourceLane =
      D.Extra ? W.cell(D.Operands[1], First) % W.lanes() : First;
  for (unsigned C = 0; C < D.Cells; ++C) {
    uint64_t V = W.cell(D.Operands[0] + C, SourceLane);
    forEachLane(Mask, [&](unsigned L) { W.cell(D.Result + C, L) = V; });
  }
  return true;
}

/// Adds the number of set bits below the lane in the lower or upper mask half.
bool maskedBitCount(WarpState &W, const Decoded &D, uint64_t Mask) {
  forEachLane(Mask, [&](unsigned L) {
    uint64_t Below = (uint64_t(1) << L) - 1;
    uint64_t Half = D.Extra ? Below >> 32 : truncate(Below, 32);
    W.cell(D.Result, L) =
        W.cell(D.Operands[1], L) + popcount(Half & W.cell(D.Operands[0], L));
  });
  return true;
}

/// The first operand is four times the lane to read from.
bool permuteLanes(WarpState &W, const Decoded &D, uint64_t Mask) {
  std::vector<uint64_t> Values(W.lanes());
  forEachLane(Mask, [&](unsigned L) {
    Values[L] = W.cell(D.Operands[1], W.cell(D.Operands[0], L) / 4 % W.lanes());
  });
  forEachLane(Mask, [&](unsigned L) { W.cell(D.Result, L) = Values[L]; });
  return true;
}

ArrayRef<CallRow> collectiveCalls() {
  static const CallRow Rows[] = {
      // 0 to 2: index of the thread, 3: its block's, 6: threads, 9: blocks.
      {"llvm.nvvm.read.ptx.sreg.tid.*", coordinate, 0},
      {"llvm.nvvm.read.ptx.sreg.ctaid.*", coordinate, 3},
      {"llvm.nvvm.read.ptx.sreg.ntid.*", coordinate, 6},
      {"llvm.nvvm.read.ptx.sreg.nctaid.*", coordinate, 9},
      {"llvm.amdgcn.workitem.id.*", coordinate, 0},
      {"llvm.amdgcn.workgroup.id.*", coordinate, 3},
      {"__ockl_get_local_id", coordinate, 0},
      {"__ockl_get_group_id", coordinate, 3},
      {"__ockl_get_local_size", coordinate, 6},
      {"__ockl_get_num_groups", coordinate, 9},
      {"llvm.nvvm.read.ptx.sreg.laneid", laneRegister, 0},
      {"llvm.nvvm.read.ptx.sreg.warpid", laneRegister, 1},
      {"llvm.nvvm.read.ptx.sreg.lanemask.eq", laneRegister, 2},
      {"llvm.nvvm.read.ptx.sreg.lanemask.lt", laneRegister, 3},
      {"llvm.nvvm.read.ptx.sreg.lanemask.le", laneRegister, 4},
      {"llvm.nvvm.read.ptx.sreg.lanemask.gt", laneRegister, 5},
      {"llvm.nvvm.read.ptx.sreg.lanemask.ge", laneRegister, 6},
      {"llvm.nvvm.read.ptx.sreg.warpsize", laneRegister, 7},
      {"llvm.amdgcn.wavefrontsize", laneRegister, 7},
      {"llvm.nvvm.activemask", voteLanes, 3},
      {"llvm.amdgcn.dispatch.ptr", launchPacket, 0},
      {"llvm.amdgcn.implicitarg.ptr", launchPacket, 1},
      {"llvm.nvvm.shfl.*", shuffleLanes},
      {"llvm.nvvm.vote.all*", voteLanes, 0},
      {"llvm.nvvm.vote.any*", voteLanes, 1},
      {"llvm.nvvm.vote.uni*", voteLanes, 2},
      {"llvm.nvvm.vote.ballot*", voteLanes, 3},
      {"llvm.amdgcn.ballot*", voteLanes, 3},
      {"llvm.nvvm.match.any.*", matchLanes},
      {"llvm.nvvm.redux.sync.*", reduceLanes},
      {"llvm.amdgcn.readfirstlane*", readLane, 0},
      {"llvm.amdgcn.readlane*", readLane, 1},
      {"llvm.amdgcn.mbcnt.lo", maskedBitCount, 0},
      {"llvm.amdgcn.mbcnt.hi", maskedBitCount, 1},
      {"llvm.amdgcn.ds.bpermute", permuteLanes},
  };
  return Rows;
}

} // namespace gpuestimate
