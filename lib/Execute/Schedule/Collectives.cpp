#include "Collectives.h"
#include "Execute/Device/MatrixFunctions.h"
#include "Execute/Device/WarpMatrix.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace gpuestimate {

/// shfl.sync of the PTX manual: operand C holds the clamp in bits 0 to 4 and
/// the segment mask in bits 8 to 12.
static uint64_t shuffle(ArrayRef<const Collective *> Lanes, uint64_t Group,
                        unsigned Lane) {
  const Collective &Own = *Lanes[Lane];
  int B = Own.B & 31, Clamp = Own.C & 31, Segment = Own.C >> 8 & 31;
  int FirstLane = Lane & Segment, LastLane = FirstLane | (Clamp & ~Segment);
  int Source = Lane;
  bool Valid = true;
  switch (Own.Kind) {
  case CollectiveKind::ShuffleUp:
    Source = int(Lane) - B;
    Valid = Source >= LastLane;
    break;
  case CollectiveKind::ShuffleDown:
    Source = Lane + B;
    Valid = Source <= LastLane;
    break;
  case CollectiveKind::ShuffleXor:
    Source = Lane ^ B;
    Valid = Source <= LastLane;
    break;
  default:
    Source = FirstLane | (B & ~Segment);
    Valid = Source <= LastLane;
    break;
  }
  if (!Valid)
    Source = Lane;
  // The value of a lane that takes no part is undefined; here it is the own.
  uint64_t Value =
      Group >> Source & 1 ? Lanes[unsigned(Source)]->Value : Own.Value;
  return (Value & 0xffffffff) | uint64_t(Valid) << 32;
}

static uint64_t reduce(CollectiveKind Kind, uint64_t A, uint64_t B) {
  switch (Kind) {
  case CollectiveKind::AddReduce:
    return uint32_t(A + B);
  case CollectiveKind::UnsignedMin:
    return std::min(uint32_t(A), uint32_t(B));
  case CollectiveKind::UnsignedMax:
    return std::max(uint32_t(A), uint32_t(B));
  case CollectiveKind::SignedMin:
    return uint32_t(std::min(int32_t(A), int32_t(B)));
  case CollectiveKind::SignedMax:
    return uint32_t(std::max(int32_t(A), int32_t(B)));
  case CollectiveKind::AndReduce:
    return A & B;
  case CollectiveKind::OrReduce:
    return A | B;
  default:
    return A ^ B;
  }
}

// NOLINTNEXTLINE(readability-function-size): a case per operation.
void completeCollective(uint64_t Group, ArrayRef<const Collective *> Lanes,
                        MutableArrayRef<uint64_t> Results) {
  CollectiveKind Kind = Lanes[unsigned(countr_zero(Group))]->Kind;
  if (Kind == CollectiveKind::MatrixProduct) {
    SmallVector<const MatrixOperands *, 32> Operands;
    for (uint64_t Left = Group; Left; Left &= Left - 1)
      Operands.push_back(reinterpret_cast<const MatrixOperands *>(
          Lanes[unsigned(countr_zero(Left))]->Value));
    if (Operands.size() == 32)
      multiplyMatrices(Operands);
  }
  if (Kind == CollectiveKind::WarpMatrix) {
    SmallVector<const WarpMatrixOperands *, 32> Operands;
    for (uint64_t Left = Group; Left; Left &= Left - 1)
      Operands.push_back(reinterpret_cast<const WarpMatrixOperands *>(
          Lanes[unsigned(countr_zero(Left))]->Value));
    if (Operands.size() == 32)
      executeWarpMatrix(Operands);
  }
  uint64_t True = 0;
  std::optional<uint64_t> Sum;
  for (uint64_t Left = Group; Left; Left &= Left - 1) {
    const Collective &Wait = *Lanes[unsigned(countr_zero(Left))];
    True |= uint64_t(Wait.Value != 0) << countr_zero(Left);
    Sum = Sum ? reduce(Kind, *Sum, Wait.Value) : Wait.Value;
  }
  for (uint64_t Left = Group; Left; Left &= Left - 1) {
    unsigned Lane = unsigned(countr_zero(Left));
    const Collective &Own = *Lanes[Lane];
    uint64_t &Result = Results[Lane];
    uint64_t Same = 0;
    switch (Kind) {
    case CollectiveKind::ShuffleUp:
    case CollectiveKind::ShuffleDown:
    case CollectiveKind::ShuffleXor:
    case CollectiveKind::ShuffleIndex:
      Result = shuffle(Lanes, Group, Lane);
      break;
    case CollectiveKind::VoteAll:
      Result = True == Group;
      break;
    case CollectiveKind::VoteAny:
      Result = True != 0;
      break;
    case CollectiveKind::VoteUniform:
      Result = True == 0 || True == Group;
      break;
    case CollectiveKind::Ballot:
      Result = True;
      break;
    case CollectiveKind::ActiveMask:
      Result = Group;
      break;
    case CollectiveKind::MatchAny:
    case CollectiveKind::MatchAll:
      for (uint64_t Other = Group; Other; Other &= Other - 1)
        if (Lanes[unsigned(countr_zero(Other))]->Value == Own.Value)
          Same |= uint64_t(1) << countr_zero(Other);
      if (Kind == CollectiveKind::MatchAll)
        Same = Same == Group ? Group | uint64_t(1) << 32 : 0;
      Result = Same;
      break;
    case CollectiveKind::Sync:
    case CollectiveKind::MatrixProduct:
    case CollectiveKind::WarpMatrix:
      Result = 0;
      break;
    case CollectiveKind::Elect:
      Result = countr_zero(Group) |
               uint64_t(Lane == unsigned(countr_zero(Group))) << 32;
      break;
    case CollectiveKind::FirstLane:
      Result = Lanes[unsigned(countr_zero(Group))]->Value;
      break;
    case CollectiveKind::Permute: {
      unsigned Source = Own.B / 4 % unsigned(Lanes.size());
      Result = Group >> Source & 1 ? Lanes[Source]->Value : 0;
      break;
    }
    default:
      Result = *Sum;
    }
  }
}

} // namespace gpuestimate
