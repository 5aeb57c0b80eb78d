/// \file
/// Values of parameters that nobody gave: each default is an assumption.
#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Symbolic/RealParameters.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

const Launch L = launch({10, 3, 1}, {64, 2, 1});

void addArgument(OpKernel &K, const char *Name, KernelArgument::KindType Kind) {
  KernelArgument A;
  A.Name = Name;
  A.Kind = Kind;
  K.Model.Arguments.push_back(A);
}

Unknown &addUnknown(OpKernel &K, Unknown::KindType Kind, const char *Name,
                    double Default) {
  Unknown U;
  U.Kind = Kind;
  U.Name = Name;
  U.What = std::string("what ") + Name;
  U.Why = "why";
  U.Default = Default;
  K.Model.Unknowns.push_back(U);
  return K.Model.Unknowns.back();
}

const Assumption *find(const BoundParameters &B, llvm::StringRef What) {
  for (const Assumption &A : B.Assumptions)
    if (A.What == What)
      return &A;
  return nullptr;
}

TEST(Bind, LaunchDimensionsAreBound) {
  OpKernel K;
  BoundParameters B = bindParameters(K.Model, L, {});
  EXPECT_EQ(B.All.lookup("blockDim.x"), 64);
  EXPECT_EQ(B.All.lookup("blockDim.y"), 2);
  EXPECT_EQ(B.All.lookup("gridDim.y"), 3);
  EXPECT_TRUE(B.Assumptions.empty());
}

TEST(Bind, ArgumentsThatMatterAreAssumed) {
  OpKernel K;
  addArgument(K, "n", KernelArgument::Integer);
  addArgument(K, "alpha", KernelArgument::Real);
  assumeReal(K.context(), "alpha");
  addArgument(K, "unused", KernelArgument::Integer);
  K.block(-1, K.context().less(K.id(), K.parameter("n")));
  int Loop = K.loop(-1, K.parameter("alpha"));
  K.block(Loop);
  K.load("a", {}, K.counter(Loop) * 4 + K.tid());
  BoundParameters B = bindParameters(K.Model, L, {});
  // The threads along x, so that a guard just holds for all; a real is 1.
  EXPECT_EQ(B.All.lookup("n"), 640);
  EXPECT_EQ(B.All.lookup("alpha"), 1);
  ASSERT_EQ(B.Assumptions.size(), 2u); // nothing for counters, coordinates
  ASSERT_TRUE(find(B, "argument n"));
  EXPECT_EQ(find(B, "argument n")->Value, 640);
  EXPECT_EQ(find(B, "argument n")->Settle, "--param n=VALUE");
  EXPECT_EQ(B.Parameters.size(), B.Assumptions.size());
  EXPECT_FALSE(B.All.contains("unused"));
  EXPECT_FALSE(B.All.contains("threadIdx.x"));
}

TEST(Bind, AnArgumentThatValuesAreShiftedByIsANumberOfBits) {
  OpKernel K;
  ExprContext &C = K.context();
  for (const char *Name : {"log2n", "width", "bits"})
    addArgument(K, Name, KernelArgument::Integer);
  K.block(-1, C.less(K.id(), C.shiftLeft(C.constant(1), K.parameter("log2n"))));
  // A number of bits only in what is left of a division by it.
  K.block(-1,
          C.less(K.tid(), C.shiftLeft(C.constant(1),
                                      C.mod(K.id(), K.parameter("width")))));
  K.block(-1,
          C.less(C.floorDiv(K.id(), C.shiftLeft(C.constant(1),
                                                2 * K.parameter("bits") - 1)),
                 C.constant(7)));
  BoundParameters B = bindParameters(K.Model, L, {});
  EXPECT_EQ(B.All.lookup("log2n"), 9); // 640 threads along x
  EXPECT_EQ(B.All.lookup("bits"), 9);
  EXPECT_EQ(B.All.lookup("width"), 640);
  ASSERT_TRUE(find(B, "argument log2n"));
  EXPECT_NE(find(B, "argument log2n")->Why.find("logarithm"),
            std::string::npos);
}

TEST(Bind, AnArgumentInAGuardIsTheExtentOfTheIndex) {
  OpKernel K;
  ExprContext &C = K.context();
  for (const char *Name : {"n", "rows", "width", "size", "packed", "tiles"})
    addArgument(K, Name, KernelArgument::Integer);
  Expr Row = K.parameter("blockDim.y") * K.parameter("blockIdx.y") +
             K.parameter("threadIdx.y");
  // A constant beside the index or the argument does not change its size.
  K.block(-1, C.less(K.id() + 1, K.parameter("n")) *
                  C.less(K.id(), K.parameter("n") - 1.0));
  K.block(-1, C.lessEqual(K.parameter("rows"), Row));
  K.block(-1, C.less(Row * K.parameter("width") + K.id(), K.parameter("size")));
  K.block(-1, C.less(K.id(), K.parameter("width")));
  K.block(-1, C.less(K.id(), C.floorDiv(K.parameter("packed"), C.constant(4))));
  K.block(-1, C.less(K.parameter("blockIdx.x"), K.parameter("tiles")));
  BoundParameters B = bindParameters(K.Model, L, {});
  EXPECT_EQ(B.All.lookup("n"), 640);
  EXPECT_EQ(B.All.lookup("rows"), 6);
  EXPECT_EQ(B.All.lookup("width"), 640);
  EXPECT_EQ(B.All.lookup("size"), 6 * 640);
  EXPECT_EQ(B.All.lookup("packed"), 4 * 640);
  EXPECT_EQ(B.All.lookup("tiles"), 10);
  ASSERT_TRUE(find(B, "argument rows"));
  EXPECT_NE(find(B, "argument rows")->Why.find("guard"), std::string::npos);
}

TEST(Bind, NestedLoopsUpToArgumentsShareTheNumberOfThreads) {
  OpKernel K;
  for (const char *Name : {"c", "k", "n", "once"})
    addArgument(K, Name, KernelArgument::Integer);
  int Outer = K.loop(-1, K.parameter("c"));
  int Middle = K.loop(Outer, K.parameter("k"));
  K.block(K.loop(Middle, K.parameter("k")));
  K.block(K.loop(-1, K.parameter("once")));
  // A guard tells more than a loop.
  K.block(K.loop(Middle, K.parameter("n")),
          K.context().less(K.id(), K.parameter("n")));
  BoundParameters B = bindParameters(K.Model, L, {});
  EXPECT_EQ(B.All.lookup("c"), 9); // 640 threads along x
  EXPECT_EQ(B.All.lookup("k"), 9);
  EXPECT_EQ(B.All.lookup("n"), 640);
  EXPECT_EQ(B.All.lookup("once"), 640);
  ASSERT_TRUE(find(B, "argument c"));
  EXPECT_NE(find(B, "argument c")->Why.find("one of 3 nested loops"),
            std::string::npos);
}

TEST(Bind, ALoopThatStridesOverTheGridIsNoNest) {
  OpKernel K;
  ExprContext &C = K.context();
  for (const char *Name : {"n", "m"})
    addArgument(K, Name, KernelArgument::Integer);
  int Outer = K.loop(
      -1, C.ceilDiv(K.parameter("n") - K.id(),
                    K.parameter("gridDim.x") * K.parameter("blockDim.x")));
  K.block(K.loop(Outer, K.parameter("m")));
  BoundParameters B = bindParameters(K.Model, L, {});
  EXPECT_EQ(B.All.lookup("n"), 640);
  EXPECT_EQ(B.All.lookup("m"), 640);
}

TEST(Bind, AnUpperBoundBeyondAllNumbersIsNotTaken) {
  OpKernel K;
  addArgument(K, "n", KernelArgument::Integer);
  Unknown &U = addUnknown(K, Unknown::TripCount, "trip@f.cu:3", 16);
  U.UpperBound =
      K.context().shiftLeft(K.context().constant(1), K.parameter("n"));
  K.block(K.loop(-1, K.parameter("trip@f.cu:3")));
  EXPECT_EQ(bindParameters(K.Model, L, {{"n", 5}}).All.lookup("trip@f.cu:3"),
            32);
  BoundParameters B = bindParameters(K.Model, L, {{"n", 1 << 20}});
  EXPECT_EQ(B.All.lookup("trip@f.cu:3"), 16);
  ASSERT_EQ(B.Assumptions.size(), 1u);
  EXPECT_EQ(B.Assumptions[0].Value, 16);
}

TEST(Bind, GivenValuesAreNoAssumptions) {
  OpKernel K;
  addArgument(K, "n", KernelArgument::Integer);
  addUnknown(K, Unknown::TripCount, "trip@f.cu:3", 16);
  K.block(K.loop(-1, K.parameter("trip@f.cu:3")),
          K.context().less(K.id(), K.parameter("n")));
  BoundParameters B =
      bindParameters(K.Model, L, {{"n", 100}, {"trip@f.cu:3", 5}});
  EXPECT_TRUE(B.Assumptions.empty());
  EXPECT_EQ(B.All.lookup("n"), 100);
  EXPECT_EQ(B.All.lookup("trip@f.cu:3"), 5);
  ASSERT_EQ(B.Arguments.size(), 1u); // the unknown is no argument
  EXPECT_EQ(B.Arguments[0], std::pair(std::string("n"), 100.0));
}

TEST(Bind, UnknownsTakeTheirDefault) {
  OpKernel K;
  addUnknown(K, Unknown::TripCount, "trip@f.cu:3", 16);
  addUnknown(K, Unknown::BranchProbability, "p(branch@f.cu:4)", 0.5);
  addUnknown(K, Unknown::LoadedValue, "value@f.cu:5", 0);
  addUnknown(K, Unknown::Instruction, "", 0);
  K.block(K.loop(-1, K.parameter("trip@f.cu:3")),
          K.parameter("p(branch@f.cu:4)"));
  K.load("a", {}, K.parameter("value@f.cu:5") * 4);
  BoundParameters B = bindParameters(K.Model, L, {});
  EXPECT_EQ(B.All.lookup("trip@f.cu:3"), 16);
  EXPECT_EQ(B.All.lookup("p(branch@f.cu:4)"), 0.5);
  EXPECT_FALSE(B.All.contains("value@f.cu:5")); // drawn where it is used
  EXPECT_FALSE(B.All.contains(""));
  EXPECT_EQ(B.Assumptions.size(), 4u);
  EXPECT_EQ(find(B, "what trip@f.cu:3")->Value, 16);
}

TEST(Bind, UpperBoundsReplaceDefaults) {
  OpKernel K;
  addArgument(K, "n", KernelArgument::Integer);
  addUnknown(K, Unknown::TripCount, "trip@f.cu:3", 16).UpperBound =
      K.parameter("n") - 1;
  K.block(K.loop(-1, K.parameter("trip@f.cu:3")));
  for (bool Given : {true, false}) {
    SCOPED_TRACE(Given);
    BoundParameters B =
        bindParameters(K.Model, L, Given ? Bindings{{"n", 8}} : Bindings{});
    double Expected = Given ? 7 : 639; // n itself is assumed where not given
    EXPECT_EQ(B.All.lookup("trip@f.cu:3"), Expected);
    const Assumption *A = find(B, "what trip@f.cu:3");
    ASSERT_TRUE(A);
    EXPECT_EQ(A->Value, Expected);
    EXPECT_EQ(A->Why, "why; taken as its upper bound n - 1");
    EXPECT_EQ(bool(find(B, "argument n")), !Given);
  }
}

TEST(Bind, ABoundThatNoNumberSettlesIsLeft) {
  OpKernel K;
  addUnknown(K, Unknown::TripCount, "trip@f.cu:3", 16).UpperBound = K.tid();
  K.block(K.loop(-1, K.parameter("trip@f.cu:3")));
  EXPECT_EQ(bindParameters(K.Model, L, {}).All.lookup("trip@f.cu:3"), 16);
}

} // namespace
