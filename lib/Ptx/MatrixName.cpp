#include "gpu-estimate/Ptx/MatrixName.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuestimate {

std::optional<MatrixType> matrixTypeNamed(StringRef Word) {
  return StringSwitch<std::optional<MatrixType>>(Word)
      .Case("f16", MatrixType::F16)
      .Case("bf16", MatrixType::BF16)
      .Case("tf32", MatrixType::TF32)
      .Case("f32", MatrixType::F32)
      .Case("f64", MatrixType::F64)
      .Case("e4m3", MatrixType::E4M3)
      .Case("e5m2", MatrixType::E5M2)
      .Case("s8", MatrixType::S8)
      .Case("u8", MatrixType::U8)
      .Case("s4", MatrixType::S4)
      .Case("u4", MatrixType::U4)
      .Case("b1", MatrixType::B1)
      .Case("s32", MatrixType::S32)
      .Default(std::nullopt);
}

SmallVector<MatrixType, 4> matrixTypesIn(StringRef Name) {
  SmallVector<MatrixType, 4> Types;
  for (StringRef Word : split(Name, '.'))
    if (std::optional<MatrixType> T = matrixTypeNamed(Word))
      Types.push_back(*T);
  return Types;
}

unsigned bitsOf(MatrixType Type) {
  switch (Type) {
  case MatrixType::F64:
    return 64;
  case MatrixType::F32:
  case MatrixType::TF32:
  case MatrixType::S32:
    return 32;
  case MatrixType::F16:
  case MatrixType::BF16:
    return 16;
  case MatrixType::E4M3:
  case MatrixType::E5M2:
  case MatrixType::S8:
  case MatrixType::U8:
    return 8;
  case MatrixType::S4:
  case MatrixType::U4:
    return 4;
  case MatrixType::B1:
    return 1;
  }
  return 0;
}

std::optional<MatrixShape> MatrixShape::parse(StringRef Word) {
  MatrixShape S;
  if (!Word.consume_front("m") || Word.consumeInteger(10, S.M) ||
      !Word.consume_front("n") || Word.consumeInteger(10, S.N))
    return std::nullopt;
  bool HasK = Word.consume_front("k");
  if ((HasK && Word.consumeInteger(10, S.K)) || !Word.empty())
    return std::nullopt;
  return S;
}

std::optional<MatrixShape> MatrixShape::find(StringRef Name) {
  for (StringRef Word : split(Name, '.'))
    if (std::optional<MatrixShape> S = parse(Word))
      return S;
  return std::nullopt;
}

} // namespace gpuestimate
