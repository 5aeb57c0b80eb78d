#include "WarpMatrix.h"

#include "DeviceFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include <climits>
#include <cmath>
#include <cstring>
#include <list>
#include <mutex>
#include <vector>

using namespace llvm;

namespace gpuestimate {

namespace {

constexpr unsigned Lanes = 32;

/// A real of eight bits with E bits of exponent.
double realOfByte(uint8_t Bits, unsigned ExponentBits) {
  unsigned MantissaBits = 7 - ExponentBits;
  unsigned Exponent = Bits >> MantissaBits & ((1u << ExponentBits) - 1);
  unsigned Mantissa = Bits & ((1u << MantissaBits) - 1);
  int Bias = (1 << (ExponentBits - 1)) - 1;
  double Scale = 1.0 / (1u << MantissaBits), Value;
  bool IsLast = Exponent == (1u << ExponentBits) - 1;
  if (ExponentBits == 5 && IsLast)
    Value = Mantissa ? std::nan("") : INFINITY;
  else if (ExponentBits == 4 && IsLast && Mantissa == 7) // the only NaN
    Value = std::nan("");
  else
    Value = Exponent ? std::ldexp(1 + Mantissa * Scale, int(Exponent) - Bias)
                     : std::ldexp(Mantissa * Scale, 1 - Bias);
  return Bits & 0x80 ? -Value : Value;
}

/// Element Index of packed elements.
double elementOf(const void *Packed, MatrixType T, uint64_t Index) {
  const auto *Bytes = static_cast<const uint8_t *>(Packed);
  unsigned Bits = bitsOf(T);
  uint64_t Raw = 0;
  if (Bits >= 8)
    std::memcpy(&Raw, Bytes + Index * (Bits / 8), Bits / 8);
  else
    Raw = Bytes[Index * Bits / 8] >> (Index * Bits % 8) & ((1u << Bits) - 1);
  switch (T) {
  case MatrixType::F16:
    return realOfHalf(uint16_t(Raw));
  case MatrixType::BF16:
    return bit_cast<float>(uint32_t(Raw) << 16);
  case MatrixType::TF32: // a mantissa of ten bits
    return bit_cast<float>(uint32_t(Raw) & 0xffffe000);
  case MatrixType::F32:
    return bit_cast<float>(uint32_t(Raw));
  case MatrixType::F64:
    return bit_cast<double>(Raw);
  case MatrixType::E4M3:
    return realOfByte(uint8_t(Raw), 4);
  case MatrixType::E5M2:
    return realOfByte(uint8_t(Raw), 5);
  case MatrixType::S8:
    return int8_t(Raw);
  case MatrixType::S4:
    return int(Raw ^ 8) - 8;
  case MatrixType::S32:
    return int32_t(Raw);
  default:
    return double(Raw);
  }
}

void setElement(void *Packed, MatrixType T, uint64_t Index, double Value) {
  auto *At = static_cast<char *>(Packed) + Index * (bitsOf(T) / 8);
  if (T == MatrixType::F64) {
    std::memcpy(At, &Value, 8);
  } else if (T == MatrixType::S32) {
    auto Integer = int32_t(uint32_t(int64_t(Value)));
    std::memcpy(At, &Integer, 4);
  } else if (T == MatrixType::F16) {
    uint16_t Half = halfOfReal(float(Value));
    std::memcpy(At, &Half, 2);
  } else {
    float Real = float(Value);
    std::memcpy(At, &Real, 4);
  }
}

/// Rows and columns of a factor, row by row; of B the columns are its rows.
struct Matrix {
  Matrix(unsigned Rows, unsigned Columns)
      : Columns(Columns), Values(size_t(Rows) * Columns) {}
  double &at(unsigned Row, unsigned Column) {
    return Values[size_t(Row) * Columns + Column];
  }
  unsigned Columns;
  std::vector<double> Values;
};

using Operands = ArrayRef<const WarpMatrixOperands *>;

/// A factor in the registers of the lanes.
Matrix factor(Operands Of, const void *WarpMatrixOperands::*Part, unsigned Rows,
              unsigned K, MatrixType T) {
  Matrix Result(Rows, K);
  unsigned Elements = std::max(1u, 32 / bitsOf(T)); // of a register
  unsigned RowParts = Rows / 8;
  unsigned Count = Rows * K / Lanes; // of a lane
  for (unsigned Lane = 0; Lane != Lanes; ++Lane)
    for (unsigned I = 0; I != Count; ++I) {
      unsigned Register = I / Elements;
      unsigned Row = Lane / 4 + 8 * (Register % RowParts);
      unsigned Column = Elements * (Lane % 4) + I % Elements +
                        4 * Elements * (Register / RowParts);
      Result.at(Row, Column) = elementOf(Of[Lane]->*Part, T, I);
    }
  return Result;
}

/// The place of element I of a lane in a sum.
std::pair<unsigned, unsigned> placeInSum(unsigned Lane, unsigned I,
                                         unsigned Rows) {
  bool IsTall = Rows > 8;
  return {Lane / 4 + (IsTall ? 8 * (I / 2 % 2) : 0),
          2 * (Lane % 4) + I % 2 + 8 * (IsTall ? I / 4 : I / 2)};
}

/// One row of the sum plus a row of A times B, whose rows are columns of the
/// product. Of a type with exact products, T is float.
template <typename T>
void addRow(T *Sum, const double *RowOfA, const T *TransposedB, unsigned N,
            unsigned K) {
  for (unsigned Step = 0; Step != K; ++Step) {
    T Factor = T(RowOfA[Step]);
    const T *RowOfB = TransposedB + size_t(Step) * N;
    for (unsigned Column = 0; Column != N; ++Column)
      Sum[Column] += Factor * RowOfB[Column];
  }
}

template <typename T>
void multiply(Operands Of, const WarpMatrixInstruction &I, Matrix &A, Matrix &B,
              unsigned Rows, bool Accumulates) {
  // [k][n]
  std::vector<T> Turned(size_t(I.Shape.K) * I.Shape.N),
      Sums(size_t(Rows) * I.Shape.N);
  for (unsigned N = 0; N != I.Shape.N; ++N)
    for (unsigned K = 0; K != I.Shape.K; ++K)
      Turned[size_t(K) * I.Shape.N + N] = T(B.at(N, K));
  unsigned Count = Rows * I.Shape.N / Lanes;
  if (Accumulates)
    for (unsigned Lane = 0; Lane != Lanes; ++Lane)
      for (unsigned E = 0; E != Count; ++E) {
        auto [Row, Column] = placeInSum(Lane, E, Rows);
        Sums[size_t(Row) * I.Shape.N + Column] =
            T(elementOf(Of[Lane]->C, I.C, E));
      }
  for (unsigned Row = 0; Row != Rows; ++Row)
    addRow(&Sums[size_t(Row) * I.Shape.N], &A.at(Row, 0), Turned.data(),
           I.Shape.N, I.Shape.K);
  for (unsigned Lane = 0; Lane != Lanes; ++Lane)
    for (unsigned E = 0; E != Count; ++E) {
      auto [Row, Column] = placeInSum(Lane, E, Rows);
      double Sum = double(Sums[size_t(Row) * I.Shape.N + Column]);
      if (I.D == MatrixType::S32 && I.Saturates)
        Sum = std::clamp(Sum, double(INT_MIN), double(INT_MAX));
      setElement(Of[Lane]->D, I.D, E, Sum);
    }
}

void multiplyAny(Operands Of, const WarpMatrixInstruction &I, Matrix &A,
                 Matrix &B, unsigned Rows, bool Accumulates) {
  // Sums of integers and of 64-bit reals are exact as such.
  if (I.D == MatrixType::S32 || I.D == MatrixType::F64)
    multiply<double>(Of, I, A, B, Rows, Accumulates);
  else
    multiply<float>(Of, I, A, B, Rows, Accumulates);
}

/// b1: the factors are combined by and or exclusive or, and ones are counted.
void countBits(Matrix &A, Matrix &B, bool IsAnd) {
  if (IsAnd) // the product of bits
    return;
  // a ^ b = a (1 - b) + (1 - a) b: twice as many columns.
  auto Double = [](Matrix &M, bool InvertsFirst) {
    unsigned Rows = M.Values.size() / M.Columns;
    Matrix Wide(Rows, 2 * M.Columns);
    for (unsigned Row = 0; Row != Rows; ++Row)
      for (unsigned Column = 0; Column != M.Columns; ++Column) {
        double Bit = M.at(Row, Column);
        Wide.at(Row, Column) = InvertsFirst ? 1 - Bit : Bit;
        Wide.at(Row, Column + M.Columns) = InvertsFirst ? Bit : 1 - Bit;
      }
    M = std::move(Wide);
  };
  Double(A, false);
  Double(B, true);
}

void multiply(Operands Of, WarpMatrixInstruction I) {
  Matrix A = factor(Of, &WarpMatrixOperands::A, I.Shape.M, I.Shape.K, I.A),
         B = factor(Of, &WarpMatrixOperands::B, I.Shape.N, I.Shape.K, I.B);
  if (I.A == MatrixType::B1) {
    countBits(A, B, I.IsAnd);
    I.Shape.K = A.Columns;
  }
  multiplyAny(Of, I, A, B, I.Shape.M, /*Accumulates=*/true);
}

/// A factor in shared memory, as a descriptor of wgmma says (PTX ISA, "Matrix
/// descriptor format" and "Strides"): rows First to First + Rows - 1.
Matrix factorInMemory(uint64_t Descriptor, const char *Shared, unsigned First,
                      unsigned Rows, unsigned K, MatrixType T,
                      bool IsTransposed) {
  Matrix Result(Rows, K);
  auto Field = [&](unsigned Low, unsigned Bits) {
    return Descriptor >> Low & ((uint64_t(1) << Bits) - 1);
  };
  // Addresses of shared memory, of which the descriptor has 18 bits.
  auto Base = reinterpret_cast<uint64_t>(Shared);
  uint64_t Start = Base + (((Field(0, 14) << 4) - Base) & 0x3ffff);
  uint64_t Leading = Field(16, 14) << 4, Stride = Field(32, 14) << 4;
  static constexpr unsigned RowBytes[] = {16, 128, 64, 32};
  unsigned Row = RowBytes[Field(62, 2)], Bytes = bitsOf(T) / 8;
  for (unsigned R = 0; R != Rows; ++R)
    for (unsigned C = 0; C != K; ++C) {
      uint64_t At = Start;
      unsigned Long = First + R;
      if (!IsTransposed) {
        unsigned InRow = C * Bytes;
        At += Long / 8 * Stride + Long % 8 * Row;
        At += Row == 16 ? InRow / 16 * Leading + InRow % 16 : InRow;
      } else {
        // Rows of a swizzled part run along the matrix' rows.
        unsigned InRow = Long * Bytes;
        At += Row == 16 ? InRow / 16 * Stride + C / 8 * Leading
                        : InRow / Row * Leading + C / 8 * Stride;
        At += C % 8 * Row + InRow % Row;
      }
      At = swizzledAddress(At, Row);
      Result.at(R, C) = elementOf(reinterpret_cast<const void *>(At), T, 0);
    }
  return Result;
}

void multiplyInGroup(Operands Of, const WarpMatrixInstruction &I) {
  const WarpMatrixOperands &First = *Of[0];
  constexpr unsigned Rows = 16;
  auto Descriptor = [](const void *At) {
    uint64_t D;
    std::memcpy(&D, At, sizeof(D));
    return D;
  };
  Matrix A = First.Flags & groupflags::AInRegisters
                 ? factor(Of, &WarpMatrixOperands::A, Rows, I.Shape.K, I.A)
                 : factorInMemory(Descriptor(First.A), First.Shared,
                                  Rows * First.Warp, Rows, I.Shape.K, I.A,
                                  First.Flags & groupflags::TransposesA);
  Matrix B =
      factorInMemory(Descriptor(First.B), First.Shared, 0, I.Shape.N, I.Shape.K,
                     I.B, First.Flags & groupflags::TransposesB);
  bool NegatesA = First.Flags & groupflags::NegatesA,
       NegatesB = First.Flags & groupflags::NegatesB;
  if (NegatesA != NegatesB)
    for (double &V : A.Values)
      V = -V;
  multiplyAny(Of, I, A, B, Rows, First.Flags & groupflags::Accumulates);
}

/// Eight rows of 16 bytes, which lanes 8 n to 8 n + 7 point to, are matrix n.
void moveMatrices(Operands Of, const WarpMatrixInstruction &I) {
  bool IsStore = I.Operation == WarpMatrixOperation::Store;
  for (unsigned N = 0; N != I.Matrices; ++N)
    for (unsigned Lane = 0; Lane != Lanes; ++Lane)
      for (unsigned E = 0; E != 2; ++E) {
        unsigned Row = Lane / 4, Column = 2 * (Lane % 4) + E;
        if (I.IsTransposed)
          std::swap(Row, Column);
        auto *Memory =
            static_cast<char *>(const_cast<void *>(Of[8 * N + Row]->A)) +
            2 * Column;
        if (IsStore)
          std::memcpy(Memory,
                      static_cast<const char *>(Of[Lane]->B) + 4 * N + 2 * E,
                      2);
        else
          std::memcpy(static_cast<char *>(Of[Lane]->D) + 4 * N + 2 * E, Memory,
                      2);
      }
}

void transpose(Operands Of) {
  uint16_t Elements[8][8];
  for (unsigned Lane = 0; Lane != Lanes; ++Lane)
    std::memcpy(&Elements[Lane / 4][2 * (Lane % 4)], Of[Lane]->A, 4);
  for (unsigned Lane = 0; Lane != Lanes; ++Lane)
    for (unsigned E = 0; E != 2; ++E)
      std::memcpy(static_cast<char *>(Of[Lane]->D) + 2 * E,
                  &Elements[2 * (Lane % 4) + E][Lane / 4], 2);
}

} // namespace

std::optional<WarpMatrixInstruction>
WarpMatrixInstruction::parse(StringRef Name) {
  SmallVector<StringRef> Words;
  Name.split(Words, '.');
  WarpMatrixInstruction I;
  SmallVector<MatrixType> Types;
  for (StringRef Word : drop_begin(Words)) {
    if (std::optional<MatrixShape> S = MatrixShape::parse(Word))
      I.Shape = *S;
    if (std::optional<MatrixType> T = matrixTypeNamed(Word))
      Types.push_back(*T);
    I.IsTransposed |= Word == "trans";
    I.Saturates |= Word == "satfinite";
    I.IsAnd |= Word == "and";
    if (Word == "x2" || Word == "x4")
      I.Matrices = Word.back() - '0';
  }
  auto Has = [&](StringRef Word) { return is_contained(Words, Word); };
  if (Words[0] == "ldmatrix" || Words[0] == "stmatrix") {
    I.Operation = Words[0] == "ldmatrix" ? WarpMatrixOperation::Load
                                         : WarpMatrixOperation::Store;
    return Has("m8n8") && Has("b16") ? std::optional(I) : std::nullopt;
  }
  if (Words[0] == "movmatrix") {
    I.Operation = WarpMatrixOperation::Transpose;
    return Has("m8n8") && Has("b16") ? std::optional(I) : std::nullopt;
  }
  bool IsGroup = Words[0] == "wgmma" && Has("mma_async");
  if ((Words[0] != "mma" && !IsGroup) || Has("sp") || Has("block_scale"))
    return std::nullopt;
  if (IsGroup) {
    if (Types.size() != 3 || I.Shape.M != 64 || bitsOf(Types[1]) < 8)
      return std::nullopt;
    I.Operation = WarpMatrixOperation::GroupMultiply;
    I.C = I.D = Types[0];
    I.A = Types[1];
    I.B = Types[2];
    return I;
  }
  if (Types.size() == 4) { // the mnemonic of PTX: d, a, b, c
    I.D = Types[0];
    I.A = Types[1];
    I.B = Types[2];
    I.C = Types[3];
  } else if (Types.size() == 2 && bitsOf(Types[0]) >= 16 &&
             (Types[0] == MatrixType::F16 || Types[0] == MatrixType::F32)) {
    I.D = Types[0]; // LLVM: of half-precision factors
    I.C = Types[1];
  } else if (Types.size() == 1 || Types.size() == 2) {
    I.A = Types[0];
    I.B = Types.back();
    I.C = I.D =
        bitsOf(I.A) <= 8 && I.A != MatrixType::E4M3 && I.A != MatrixType::E5M2
            ? MatrixType::S32
        : I.A == MatrixType::F64 ? MatrixType::F64
                                 : MatrixType::F32;
  } else {
    return std::nullopt;
  }
  // The shape of Volta has fragments of its own; B is a row of columns.
  bool IsVolta = I.Shape.M == 8 && I.A == MatrixType::F16;
  if (IsVolta || I.Shape.N != 8 || (I.Shape.M != 8 && I.Shape.M != 16) ||
      !Has("row") || !Has("col"))
    return std::nullopt;
  return I;
}

unsigned WarpMatrixInstruction::wordsOfA() const {
  unsigned Rows =
      Operation == WarpMatrixOperation::GroupMultiply ? 16 : Shape.M;
  return Rows * Shape.K * bitsOf(A) / (32 * Lanes);
}
unsigned WarpMatrixInstruction::wordsOfB() const {
  return Shape.N * Shape.K * bitsOf(B) / (32 * Lanes);
}
unsigned WarpMatrixInstruction::wordsOfC() const {
  unsigned Rows =
      Operation == WarpMatrixOperation::GroupMultiply ? 16 : Shape.M;
  return Rows * Shape.N * bitsOf(C) / (32 * Lanes);
}
unsigned WarpMatrixInstruction::wordsOfD() const {
  unsigned Rows =
      Operation == WarpMatrixOperation::GroupMultiply ? 16 : Shape.M;
  return Rows * Shape.N * bitsOf(D) / (32 * Lanes);
}

const WarpMatrixInstruction *keep(const WarpMatrixInstruction &I) {
  static std::mutex Lock;
  static std::list<WarpMatrixInstruction> Kept; // as many as there are forms
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = llvm::find(Kept, I);
  return Found != Kept.end() ? &*Found : &Kept.emplace_back(I);
}

void executeWarpMatrix(Operands Of) {
  const WarpMatrixInstruction &I = *Of[0]->Instruction;
  switch (I.Operation) {
  case WarpMatrixOperation::Load:
  case WarpMatrixOperation::Store:
    return moveMatrices(Of, I);
  case WarpMatrixOperation::Transpose:
    return transpose(Of);
  case WarpMatrixOperation::Multiply:
    return multiply(Of, I);
  case WarpMatrixOperation::GroupMultiply:
    return multiplyInGroup(Of, I);
  }
}

} // namespace gpuestimate
