#include "TextureAddress.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Distances of rows, and of slices or layers, in bytes: see the header.
static constexpr double Row = 131072, Slice = Row * 32768;
/// Factors below this make a normalised coordinate of a number of texels: a
/// texture is at least so wide.
static constexpr double SmallestScale = 1.0 / 16;

/// The number of dimensions in "2D", "2DLayered", "3DLod"; 0 for cube maps.
static unsigned dimensionsOf(StringRef Geometry) {
  return Geometry.size() > 1 && isDigit(Geometry[0]) &&
                 (Geometry[1] == 'D' || Geometry[1] == 'd')
             ? unsigned(Geometry[0] - '0')
             : 0;
}

static std::optional<TexelRequest>
ofArguments(unsigned Dimensions, bool IsLayered, bool LayerIsFirst,
            SmallVector<const Value *> Arguments) {
  unsigned Count = Dimensions + IsLayered;
  if (Dimensions == 0 || Arguments.size() < Count)
    return std::nullopt;
  Arguments.truncate(Count);
  if (LayerIsFirst && IsLayered)
    std::rotate(Arguments.begin(), Arguments.begin() + 1, Arguments.end());
  if (is_contained(Arguments, nullptr))
    return std::nullopt;
  TexelRequest R;
  R.Coordinates.append(Arguments.begin(), Arguments.end());
  R.Is1D = Dimensions == 1;
  return R;
}

std::optional<TexelRequest> TexelRequest::of(const CallBase &I,
                                             StringRef Name) {
  std::optional<TexelRequest> R;
  SmallVector<const Value *> Arguments(I.args());
  bool IsSurface = false;
  if (Name.consume_front("__gpu_estimate_")) {
    IsSurface = Name.consume_front("surf");
    if (!IsSurface)
      Name.consume_front("tex");
    // (data, object, coordinates, bytes), data only of a write
    size_t First = Name.contains("write") ? 2 : 1;
    if (Arguments.size() <= First)
      return std::nullopt;
    const Value *Object = Arguments[First - 1];
    const auto *Size = dyn_cast<ConstantInt>(Arguments.back());
    Arguments.pop_back();
    Arguments.erase(Arguments.begin(), Arguments.begin() + First);
    R = ofArguments(dimensionsOf(Name), Name.contains("Layered"),
                    /*LayerIsFirst=*/false, std::move(Arguments));
    if (R)
      R->Object = Object;
    if (R && Size)
      R->Bytes = std::max<unsigned>(1, Size->getZExtValue());
  } else {
    // llvm.nvvm.tex.unified.2d.array.v4f32.f32(object, layer, x, y)
    IsSurface = Name.contains(".suld.") || Name.contains(".sust.");
    SmallVector<StringRef> Parts;
    Name.split(Parts, '.');
    const auto *Geometry =
        find_if(Parts, [](StringRef Part) { return dimensionsOf(Part) > 0; });
    if (Geometry == Parts.end() || Arguments.empty())
      return std::nullopt;
    Arguments.erase(Arguments.begin());
    R = ofArguments(dimensionsOf(*Geometry), is_contained(Parts, "array"),
                    /*LayerIsFirst=*/true, std::move(Arguments));
    if (R)
      R->Bytes = usedTexelBytes(I);
  }
  if (R)
    R->IsSurface = IsSurface;
  return R;
}

std::optional<TexelRequest> TexelRequest::of(const InlineAssembly &Assembly,
                                             const PtxInstruction &P) {
  unsigned Dimensions = 0;
  bool IsLayered = false;
  for (StringRef Modifier : P.Modifiers) {
    StringRef Geometry = Modifier;
    bool Layered = Geometry.consume_front("a");
    if (unsigned Found = dimensionsOf(Geometry)) {
      Dimensions = Found;
      IsLayered = Layered;
    }
  }
  auto Memory = find_if(P.Operands, [](const PtxOperand &O) {
    return O.Kind == PtxOperand::Address;
  });
  if (Memory == P.Operands.end() || Memory->Parts.size() < 2)
    return std::nullopt;
  const PtxOperand &Place = Memory->Parts.back();
  SmallVector<const Value *> Arguments;
  for (const PtxOperand &Part : Place.Kind == PtxOperand::Vector
                                    ? ArrayRef(Place.Parts)
                                    : ArrayRef(Place))
    Arguments.push_back(Assembly.argument(Part));
  std::optional<TexelRequest> R = ofArguments(
      Dimensions, IsLayered, /*LayerIsFirst=*/true, std::move(Arguments));
  if (R) {
    R->IsSurface = P.Opcode == "suld" || P.Opcode == "sust";
    R->Object = Assembly.argument(Memory->Parts.front());
  }
  return R;
}

/// The bytes of a channel that its users take.
static unsigned channelBytes(const Value &Channel) {
  unsigned Bytes = 0;
  for (const User *U : Channel.users()) {
    const auto *I = dyn_cast<Instruction>(U);
    bool IsCopy = I && isa<CallBase>(I) && fencedByAssembly(*I);
    Bytes = std::max(Bytes, IsCopy ? channelBytes(*I)
                            : isa<TruncInst>(U)
                                ? U->getType()->getScalarSizeInBits() / 8
                                : 4u);
  }
  return Bytes;
}

unsigned usedTexelBytes(const CallBase &I) {
  unsigned Bytes = 0;
  for (const User *U : I.users())
    if (isa<ExtractValueInst, ExtractElementInst>(U))
      Bytes += channelBytes(*U);
  return Bytes ? unsigned(PowerOf2Ceil(std::min(Bytes, 16u))) : 4;
}

/// A real constant.
static std::optional<double> numberOf(const Value *V) {
  const auto *C = dyn_cast<ConstantFP>(V);
  if (!C)
    return std::nullopt;
  APFloat Number = C->getValueAPF();
  bool Lost;
  Number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Lost);
  return Number.convertToDouble();
}

Expr TextureAddress::scaled(const Value *X, const Value *Factor,
                            unsigned Depth) {
  if (numberOf(X))
    std::swap(X, Factor);
  std::optional<double> Scale = numberOf(Factor);
  if (!Scale && A.UI.isDivergent(Factor)) {
    std::swap(X, Factor);
    if (A.UI.isDivergent(Factor))
      return {};
  }
  Expr Texel = texel(X, Depth);
  if (!Texel || !Scale || std::fabs(*Scale) < SmallestScale)
    return Texel;
  return Ctx.floorDiv(Ctx.constant(*Scale) * Texel, Ctx.constant(1));
}

Expr TextureAddress::shifted(Expr Texel, const Value *By, unsigned Depth) {
  if (!Texel)
    return {};
  if (std::optional<double> Offset = numberOf(By))
    return Texel + Ctx.constant(std::floor(*Offset));
  // An offset that all threads have moves all of them.
  return A.UI.isDivergent(By) ? Expr(Texel) + texel(By, Depth) : Texel;
}

Expr TextureAddress::texel(const Value *Coordinate, unsigned Depth) {
  constexpr unsigned MaxDepth = 8;
  if (Coordinate->getType()->isIntegerTy())
    return V.of(Coordinate);
  const auto *I = dyn_cast<Instruction>(Coordinate);
  if (!I || Depth++ > MaxDepth)
    return {};
  switch (I->getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return V.of(I->getOperand(0));
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return texel(I->getOperand(0), Depth);
  case Instruction::FAdd: {
    bool IsFirst = A.UI.isDivergent(I->getOperand(0));
    return shifted(texel(I->getOperand(IsFirst ? 0 : 1), Depth),
                   I->getOperand(IsFirst ? 1 : 0), Depth);
  }
  case Instruction::FDiv:
    return A.UI.isDivergent(I->getOperand(1)) ? Expr()
                                              : texel(I->getOperand(0), Depth);
  case Instruction::FMul:
    return scaled(I->getOperand(0), I->getOperand(1), Depth);
  default:
    break;
  }
  const auto *Call = dyn_cast<IntrinsicInst>(I);
  if (Call && (Call->getIntrinsicID() == Intrinsic::fma ||
               Call->getIntrinsicID() == Intrinsic::fmuladd))
    return shifted(
        scaled(Call->getArgOperand(0), Call->getArgOperand(1), Depth),
        Call->getArgOperand(2), Depth);
  return {};
}

Expr TextureAddress::of(const TexelRequest &R) {
  SmallVector<Expr, 3> At;
  for (const Value *Coordinate : R.Coordinates)
    if (Expr Texel = texel(Coordinate))
      At.push_back(Texel);
    else
      return {};
  Expr X = R.IsSurface ? At[0] : Ctx.constant(R.Bytes) * At[0];
  // The last coordinate of a one-dimensional array is a layer.
  Expr Address = X;
  if (At.size() > 1)
    Address = Address + Ctx.constant(R.Is1D ? Slice : Row) * At[1];
  if (At.size() > 2)
    Address = Address + Ctx.constant(Slice) * At[2];
  return Address;
}

} // namespace gpuestimate
