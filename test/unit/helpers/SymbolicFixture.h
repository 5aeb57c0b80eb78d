/// \file
/// A context with a few parameters, for tests of single expressions.
#ifndef GPU_ESTIMATE_TEST_UNIT_SYMBOLICFIXTURE_H
#define GPU_ESTIMATE_TEST_UNIT_SYMBOLICFIXTURE_H

#include "gpu-estimate/Symbolic/Expr.h"
#include "gtest/gtest.h"

namespace gpuestimate::test {

class SymbolicFixture : public testing::Test {
protected:
  Expr k(double Value) { return C.constant(Value); }
  Expr p(llvm::StringRef Name) { return C.parameter(Name); }
  Expr ranged(llvm::StringRef Name, double Low, double High) {
    C.assumeRange(Name, {Low, High});
    return C.parameter(Name);
  }

  ExprContext C;
  Expr N = p("n"), M = p("m"), I = p("i");
  Expr TidX = ranged("tid.x", 0, 1023), NTidX = ranged("ntid.x", 1, 1024);
};

} // namespace gpuestimate::test

#endif
