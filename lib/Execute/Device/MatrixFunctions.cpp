#include "MatrixFunctions.h"
#include "DeviceFunctions.h"
#include "ThreadContext.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <vector>

using namespace llvm;

namespace gpuestimate {

std::optional<MatrixType> parseMatrixType(StringRef Name) {
  return StringSwitch<std::optional<MatrixType>>(Name)
      .Case("f16", MatrixType::F16)
      .Case("f32", MatrixType::F32)
      .Case("f64", MatrixType::F64)
      .Case("bf16", MatrixType::BF16)
      .Case("tf32", MatrixType::TF32)
      .Case("s8", MatrixType::S8)
      .Case("u8", MatrixType::U8)
      .Case("s32", MatrixType::S32)
      .Default(std::nullopt);
}

uint64_t MatrixShape::encode() const {
  return uint64_t(M) | uint64_t(N) << 8 | uint64_t(K) << 16 |
         uint64_t(Operands) << 24 | uint64_t(C) << 32 | uint64_t(D) << 40 |
         uint64_t(Saturates) << 48;
}

MatrixShape MatrixShape::decode(uint64_t Code) {
  MatrixShape S;
  S.M = Code;
  S.N = Code >> 8;
  S.K = Code >> 16;
  S.Operands = MatrixType(Code >> 24 & 0xff);
  S.C = MatrixType(Code >> 32 & 0xff);
  S.D = MatrixType(Code >> 40 & 0xff);
  S.Saturates = Code >> 48;
  return S;
}

std::optional<MatrixShape> MatrixShape::parse(StringRef Text) {
  MatrixShape S;
  if (!Text.consume_front("m") || Text.consumeInteger(10, S.M) ||
      !Text.consume_front("n") || Text.consumeInteger(10, S.N) ||
      !Text.consume_front("k") || Text.consumeInteger(10, S.K) || !Text.empty())
    return std::nullopt;
  return S;
}

static unsigned bytesOf(MatrixType T) {
  switch (T) {
  case MatrixType::F16:
  case MatrixType::BF16:
    return 2;
  case MatrixType::F64:
    return 8;
  case MatrixType::S8:
  case MatrixType::U8:
    return 1;
  default:
    return 4;
  }
}

static double read(MatrixType T, const char *At) {
  uint64_t Bits = 0;
  std::memcpy(&Bits, At, bytesOf(T));
  switch (T) {
  case MatrixType::F16:
    return realOfHalf(uint16_t(Bits));
  case MatrixType::BF16:
    return llvm::bit_cast<float>(uint32_t(Bits) << 16);
  case MatrixType::F32:
    return llvm::bit_cast<float>(uint32_t(Bits));
  case MatrixType::TF32: // a mantissa of ten bits
    return llvm::bit_cast<float>(uint32_t(Bits) & 0xffffe000);
  case MatrixType::F64:
    return llvm::bit_cast<double>(Bits);
  case MatrixType::S8:
    return int8_t(Bits);
  case MatrixType::U8:
    return uint8_t(Bits);
  case MatrixType::S32:
    return int32_t(Bits);
  }
  return 0;
}

static void write(MatrixType T, char *At, double Value) {
  if (T == MatrixType::F64) {
    std::memcpy(At, &Value, 8);
  } else if (T == MatrixType::F16) {
    uint16_t Bits = halfOfReal(float(Value));
    std::memcpy(At, &Bits, 2);
  } else {
    float Real = float(Value);
    std::memcpy(At, &Real, 4);
  }
}

/// Element Index of a matrix, in the parts of the lanes.
template <typename Part>
static auto elementOf(ArrayRef<const MatrixOperands *> Lanes,
                      Part MatrixOperands::*Matrix, MatrixType T,
                      unsigned Index) {
  using Char =
      std::conditional_t<std::is_same_v<Part, void *>, char, const char>;
  return static_cast<Char *>(Lanes[Index % 32]->*Matrix) +
         Index / 32 * bytesOf(T);
}

void multiplyMatrices(ArrayRef<const MatrixOperands *> Lanes) {
  MatrixShape S = MatrixShape::decode(Lanes[0]->Shape);
  std::vector<double> A(S.M * S.K), B(S.K * S.N);
  for (unsigned I = 0; I < A.size(); ++I)
    A[I] =
        read(S.Operands, elementOf(Lanes, &MatrixOperands::A, S.Operands, I));
  for (unsigned I = 0; I < B.size(); ++I)
    B[I] =
        read(S.Operands, elementOf(Lanes, &MatrixOperands::B, S.Operands, I));
  for (unsigned Row = 0; Row < S.M; ++Row)
    for (unsigned Column = 0; Column < S.N; ++Column) {
      unsigned Index = Row * S.N + Column;
      double Sum = read(S.C, elementOf(Lanes, &MatrixOperands::C, S.C, Index));
      for (unsigned K = 0; K < S.K; ++K) {
        // Products of 16-bit reals are exact; sums are those of a float.
        Sum = std::fma(A[Row * S.K + K], B[K * S.N + Column], Sum);
        if (S.D != MatrixType::F64 && S.D != MatrixType::S32)
          Sum = float(Sum);
      }
      char *To = elementOf(Lanes, &MatrixOperands::D, S.D, Index);
      if (S.D != MatrixType::S32) {
        write(S.D, To, Sum);
        continue;
      }
      if (S.Saturates)
        Sum = std::clamp(Sum, double(INT_MIN), double(INT_MAX));
      auto Integer = int32_t(uint32_t(int64_t(Sum)));
      std::memcpy(To, &Integer, 4);
    }
}

/// Calls Copy(memory, place in the fragment) for the elements of a lane.
template <typename Function>
static void forEachElement(const ThreadContext *Context, char *Fragment,
                           char *Memory, uint32_t Rows, uint32_t Columns,
                           uint32_t Stride, uint32_t IsColumnMajor,
                           uint32_t Bytes, Function Copy) {
  uint32_t Linear =
      (Context->Thread[2] * Context->BlockSize[1] + Context->Thread[1]) *
          Context->BlockSize[0] +
      Context->Thread[0];
  for (uint32_t Index = Linear % 32; Index < Rows * Columns; Index += 32) {
    uint64_t Row = Index / Columns, Column = Index % Columns;
    uint64_t Place =
        IsColumnMajor ? Column * Stride + Row : Row * Stride + Column;
    Copy(Memory + Place * Bytes, Fragment + Index / 32 * Bytes);
  }
}

static void loadMatrix(ThreadContext *Context, char *Fragment, char *Memory,
                       uint32_t Rows, uint32_t Columns, uint32_t Stride,
                       uint32_t IsColumnMajor, uint32_t Bytes) {
  forEachElement(Context, Fragment, Memory, Rows, Columns, Stride,
                 IsColumnMajor, Bytes, [&](char *InMemory, char *Place) {
                   std::memcpy(Place, InMemory, Bytes);
                 });
}
static void storeMatrix(ThreadContext *Context, char *Fragment, char *Memory,
                        uint32_t Rows, uint32_t Columns, uint32_t Stride,
                        uint32_t IsColumnMajor, uint32_t Bytes) {
  forEachElement(Context, Fragment, Memory, Rows, Columns, Stride,
                 IsColumnMajor, Bytes, [&](char *InMemory, char *Place) {
                   std::memcpy(InMemory, Place, Bytes);
                 });
}

void addMatrixFunctions(StringMap<void *> &Table) {
  Table["ge.matrix_load"] = reinterpret_cast<void *>(loadMatrix);
  Table["ge.matrix_store"] = reinterpret_cast<void *>(storeMatrix);
}

} // namespace gpuestimate
