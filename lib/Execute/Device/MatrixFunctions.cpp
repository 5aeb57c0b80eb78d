#include "MatrixFunctions.h"
#include "DeviceFunctions.h"
#include "ThreadContext.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <vector>

using namespace llvm;

namespace gpuestimate {

uint64_t MatrixProduct::encode() const {
  return uint64_t(Shape.M) | uint64_t(Shape.N) << 8 | uint64_t(Shape.K) << 16 |
         uint64_t(Operands) << 24 | uint64_t(C) << 32 | uint64_t(D) << 40 |
         uint64_t(Saturates) << 48;
}

MatrixProduct MatrixProduct::decode(uint64_t Code) {
  auto Byte = [&](unsigned N) { return uint8_t(Code >> 8 * N); };
  return {{Byte(0), Byte(1), Byte(2)},
          MatrixType(Byte(3)),
          MatrixType(Byte(4)),
          MatrixType(Byte(5)),
          Byte(6) != 0};
}

static unsigned bytesOf(MatrixType T) { return bitsOf(T) / 8; }

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
  default:
    return 0; // no type of wmma that is executed
  }
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
  MatrixProduct S = MatrixProduct::decode(Lanes[0]->Product);
  auto [Rows, Columns, Inner] = S.Shape;
  std::vector<double> A(Rows * Inner), B(Inner * Columns);
  for (unsigned I = 0; I < A.size(); ++I)
    A[I] =
        read(S.Operands, elementOf(Lanes, &MatrixOperands::A, S.Operands, I));
  for (unsigned I = 0; I < B.size(); ++I)
    B[I] =
        read(S.Operands, elementOf(Lanes, &MatrixOperands::B, S.Operands, I));
  for (unsigned Row = 0; Row < Rows; ++Row)
    for (unsigned Column = 0; Column < Columns; ++Column) {
      unsigned Index = Row * Columns + Column;
      double Sum = read(S.C, elementOf(Lanes, &MatrixOperands::C, S.C, Index));
      for (unsigned K = 0; K < Inner; ++K) {
        // Products of 16-bit reals are exact; sums are those of a float.
        Sum = std::fma(A[Row * Inner + K], B[K * Columns + Column], Sum);
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
