/// \file
/// Factorisations of small matrices, stored by columns as LAPACK has them, for
/// the batched functions of cuBLAS. T is a real type or std::complex of one.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_BLASFACTORISATIONS_H
#define GPU_ESTIMATE_LIB_RUNTIME_BLASFACTORISATIONS_H

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

namespace gpuestimate {

/// A matrix in memory; Data[Row + Column * Leading].
template <class T> struct ColumnMatrix {
  T *Data = nullptr;
  int64_t Leading = 0;
  T &operator()(int64_t Row, int64_t Column) const {
    return Data[Row + Column * Leading];
  }
};

inline float conjugateOf(float X) { return X; }
inline double conjugateOf(double X) { return X; }
template <class R> std::complex<R> conjugateOf(std::complex<R> X) {
  return std::conj(X);
}

/// A = P L U with L's unit diagonal left out. Pivots (null: rows stay in place)
/// gets the row, from 1, that each row was exchanged with. Returns the number
/// of the first column, from 1, whose pivot is zero, or 0.
template <class T> int factoriseLu(int N, ColumnMatrix<T> A, int *Pivots) {
  int Singular = 0;
  for (int K = 0; K < N; ++K) {
    int Largest = K;
    for (int I = K + 1; Pivots && I < N; ++I)
      if (std::abs(A(I, K)) > std::abs(A(Largest, K)))
        Largest = I;
    if (Pivots)
      Pivots[K] = Largest + 1;
    if (A(Largest, K) == T(0)) {
      Singular = Singular ? Singular : K + 1;
      continue;
    }
    for (int J = 0; Largest != K && J < N; ++J)
      std::swap(A(K, J), A(Largest, J));
    for (int I = K + 1; I < N; ++I)
      A(I, K) /= A(K, K);
    for (int J = K + 1; J < N; ++J)
      for (int I = K + 1; I < N; ++I)
        A(I, J) -= A(I, K) * A(K, J);
  }
  return Singular;
}

/// Solves A X = B, or its transpose or adjoint, by the factors of
/// factoriseLu(); X replaces B.
enum class SolveOp : uint8_t { Plain, Transposed, Adjoint };
template <class T>
void solveLu(SolveOp Op, int N, int Columns, ColumnMatrix<const T> A,
             const int *Pivots, ColumnMatrix<T> B) {
  auto Factor = [&](int Row, int Column) {
    if (Op == SolveOp::Plain)
      return A(Row, Column);
    T Element = A(Column, Row);
    return Op == SolveOp::Adjoint ? conjugateOf(Element) : Element;
  };
  bool IsPlain = Op == SolveOp::Plain;
  for (int J = 0; J < Columns; ++J) {
    for (int I = 0; Pivots && IsPlain && I < N; ++I)
      std::swap(B(I, J), B(Pivots[I] - 1, J));
    // The lower factor has a unit diagonal, unless U was transposed to it.
    for (int I = 0; I < N; ++I) {
      for (int K = 0; K < I; ++K)
        B(I, J) -= Factor(I, K) * B(K, J);
      if (!IsPlain)
        B(I, J) /= Factor(I, I);
    }
    for (int I = N - 1; I >= 0; --I) {
      for (int K = I + 1; K < N; ++K)
        B(I, J) -= Factor(I, K) * B(K, J);
      if (IsPlain)
        B(I, J) /= Factor(I, I);
    }
    for (int I = N - 1; Pivots && !IsPlain && I >= 0; --I)
      std::swap(B(I, J), B(Pivots[I] - 1, J));
  }
}

/// The inverse, by the factors of factoriseLu().
template <class T>
void invertLu(int N, ColumnMatrix<const T> A, const int *Pivots,
              ColumnMatrix<T> Inverse) {
  for (int J = 0; J < N; ++J)
    for (int I = 0; I < N; ++I)
      Inverse(I, J) = T(I == J);
  solveLu<T>(SolveOp::Plain, N, N, A, Pivots, Inverse);
}

/// The X that minimises |A X - B| for M >= N, by Householder's reflections: R
/// replaces A's upper triangle, X the first N rows of B. Returns the number of
/// the first column, from 1, that depends on those before it, or 0.
template <class T>
int solveLeastSquares(int M, int N, int Columns, ColumnMatrix<T> A,
                      ColumnMatrix<T> B) {
  std::vector<T> V(M);
  for (int K = 0; K < N; ++K) {
    double Squares = 0;
    for (int I = K; I < M; ++I)
      Squares += std::norm(std::complex<double>(A(I, K)));
    double Length = std::sqrt(Squares);
    if (Length == 0)
      return K + 1;
    // V = x + e^(i arg x_0) |x| e_0: no cancellation.
    double First = std::abs(A(K, K));
    T Phase = First == 0 ? T(1) : A(K, K) / T(First);
    for (int I = K; I < M; ++I)
      V[I] = A(I, K);
    V[K] += Phase * T(Length);
    T Factor = T(1 / (Length * (Length + First))); // 2 / |V|^2
    auto Reflect = [&](ColumnMatrix<T> C, int Column) {
      T Sum(0);
      for (int I = K; I < M; ++I)
        Sum += conjugateOf(V[I]) * C(I, Column);
      for (int I = K; I < M; ++I)
        C(I, Column) -= Factor * Sum * V[I];
    };
    for (int J = K + 1; J < N; ++J)
      Reflect(A, J);
    for (int J = 0; J < Columns; ++J)
      Reflect(B, J);
    A(K, K) = -Phase * T(Length);
    for (int I = K + 1; I < M; ++I)
      A(I, K) = V[I] / V[K];
  }
  for (int J = 0; J < Columns; ++J)
    for (int I = N - 1; I >= 0; --I) {
      for (int K = I + 1; K < N; ++K)
        B(I, J) -= A(I, K) * B(K, J);
      B(I, J) /= A(I, I);
    }
  return 0;
}

} // namespace gpuestimate

#endif
