/// \file
/// What host code has put into a buffer before a launch.
///
/// The value of an element is a term over its number and over random draws:
///
///   v[i] = i;              Element = element
///   v[i] = rand() % n;     Element = draw0 mod n, draw0 whole in 0 .. 2^31 - 1
///   cudaMemset(p, 0, n);   Element = 0
///
/// The draws of two elements are independent of each other.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_BUFFERCONTENTS_H
#define GPU_ESTIMATE_MODEL_KERNEL_BUFFERCONTENTS_H

#include "gpu-estimate/Support/SourceLocation.h"
#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// A random number: each of Values is as likely; without Values, a whole number
/// from 0 to Largest, or a real from 0 to 1 where Largest is 0.
struct RandomDraw {
  std::string Name; ///< of its parameter
  double Largest = 0;
  std::vector<double> Values;

  /// The number at the quantile Share of the distribution, 0 <= Share < 1.
  double at(double Share) const;
};

struct BufferContents {
  /// The parameter that stands for the number of an element, from 0.
  static constexpr llvm::StringLiteral Number = "element";

  Expr Element; ///< also over host variables, before a launch is planned
  std::vector<RandomDraw> Draws;
  /// Size of an element in host code; 0: any size (bytes that are all 0).
  unsigned Bytes = 0;
  SourceLocation Location; ///< of the statement that writes the elements

  bool isRandom() const { return !Draws.empty(); }
};

/// By the name of a pointer argument.
using ContentsOfBuffers = llvm::StringMap<BufferContents>;

/// Whether the elements have the same values, whatever the draws' names.
bool sameContents(const BufferContents &A, const BufferContents &B);
bool sameContents(const ContentsOfBuffers &A, const ContentsOfBuffers &B);

} // namespace gpuestimate

#endif
