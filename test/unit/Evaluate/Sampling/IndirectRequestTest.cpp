/// \file
/// Requests with indirect addresses: random, executed or unknown.
#include "Evaluate/Access/LaneState.h"
#include "gpu-estimate/Evaluate/Sampling/RequestCostModel.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"
#include "helpers/TestKernel.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

TEST(IndirectRequests, DataDependentAddressesSpreadOverTheirBuffer) {
  TestKernel K;
  unsigned B = K.block(-1);
  KernelArgument X;
  X.Name = "x";
  X.Kind = KernelArgument::Pointer;
  X.ElementBytes = 4;
  K.Model.Arguments.push_back(X);
  unsigned A = K.access(B, "x", K.parameter("value@f.cu:1") * 4);
  K.Model.Accesses[A].BaseArgument = 0;
  Unknown U;
  U.Kind = Unknown::LoadedValue;
  U.Name = "value@f.cu:1";
  K.Model.Unknowns.push_back(U);
  Launch L = launch({200, 1, 1}, {128, 1, 1});
  double Halves = 0;
  auto perRequest = [&](double Elements) {
    LaunchSample S = sampleLaunch(K.Model, testGpu(), L,
                                  {{"x", Elements}, {"half", Halves}});
    return S.Accesses[0].Sectors / S.Accesses[0].Requests;
  };
  // k sectors, 32 random indices: k * (1 - (1 - 1/k)^32) distinct ones on
  // average.
  EXPECT_NEAR(perRequest(8), 1, 1e-9);
  EXPECT_NEAR(perRequest(128), 16 * (1 - std::pow(15.0 / 16, 32)), 1e-9);
  EXPECT_NEAR(perRequest(1 << 24), 32, 0.1);
  // The last sector has one element of 129.
  EXPECT_NEAR(perRequest(129),
              16 * (1 - std::pow(121.0 / 129, 32)) +
                  (1 - std::pow(128.0 / 129, 32)),
              1e-9);
  // Half of the elements of the first sector lie in front of the array, and of
  // as many in the last one behind it.
  K.Model.Accesses[A].Address = K.parameter("value@f.cu:1") * 4 + 16;
  EXPECT_NEAR(perRequest(128),
              15 * (1 - std::pow(15.0 / 16, 32)) +
                  2 * (1 - std::pow(31.0 / 32, 32)),
              1e-9);
  // Structures of 64 bytes: each element has a sector of its own.
  K.Model.Accesses[A].Address = K.parameter("value@f.cu:1") * 64 + 16;
  EXPECT_NEAR(perRequest(16 * 128), 128 * (1 - std::pow(127.0 / 128, 32)),
              1e-9);
  // Half of the lanes take part.
  K.Model.Blocks[B].Active = K.context().less(K.tid(), K.parameter("half"));
  L = launch({200, 1, 1}, {32, 1, 1});
  Halves = 16;
  EXPECT_NEAR(perRequest(16 * 128), 128 * (1 - std::pow(127.0 / 128, 16)),
              1e-9);
  K.Model.Unknowns[0].LaneVarying = false;
  EXPECT_NEAR(perRequest(1 << 24), 1, 1e-9);
}

// Two requests: one of 32 lanes on 8 sectors and one of 4 lanes on one sector.
TEST(IndirectRequests, ExecutedRequestsReplaceRandomOnes) {
  TestKernel K;
  unsigned B = K.block(-1);
  K.access(B, "x", K.parameter("value@f.cu:1") * 4);
  K.access(B, "y", K.tid() * 4);
  K.Model.Accesses[0].DataDependent = true;
  Unknown U;
  U.Kind = Unknown::LoadedValue;
  U.Name = "value@f.cu:1";
  K.Model.Unknowns.push_back(U);
  ExecutedLaunch Executed;
  Executed.Blocks = K.Model.Blocks.size();
  Executed.Accesses = K.Model.Accesses.size();
  std::vector<double> Wide(32), Narrow(32, NAN);
  for (unsigned L = 0; L < 32; ++L)
    Wide[L] = 8.0 * L;
  for (unsigned L = 8; L < 12; ++L)
    Narrow[L] = 64;
  // Executed requests of a regular access are not used.
  Executed.Requests = {{Wide, Narrow}, {Narrow}};
  Launch L = launch({200, 1, 1}, {128, 1, 1});
  auto Sampled = [&] {
    const LaunchProgram Program(K.Model, testGpu(), L, {});
    LaneState State(Program);
    return sampleLaunch(State, testGpu(), L, 1, &Executed);
  };
  LaunchSample S = Sampled();
  EXPECT_NEAR(S.Accesses[0].Requests, 800, 1e-9);
  EXPECT_NEAR(S.Accesses[0].Sectors, 800 * (8 + 1) / 2.0, 1e-9);
  EXPECT_NEAR(S.Accesses[0].Threads, 800 * (32 + 4) / 2.0, 1e-9);
  EXPECT_NEAR(S.Accesses[1].Sectors, 800 * 4, 1e-9);
  // An execution of another kernel is not used.
  Executed.Blocks = 7;
  EXPECT_NEAR(Sampled().Accesses[0].Sectors, 800 * 32, 800);
}

// Expected costs against the mean over many random requests.
TEST(IndirectRequests, CostsAreMeansOverAllIndexValues) {
  std::mt19937_64 Random(7);
  auto oneOf = [&](std::initializer_list<unsigned> Choices) {
    return Choices.begin()[Random() % Choices.size()];
  };
  for (unsigned Trial = 0; Trial < 60; ++Trial) {
    const unsigned Width = oneOf({1, 4, 8, 16}), Range = oneOf({3, 50, 5000});
    const unsigned Unit = Width * oneOf({1, 2, 3, 5, 16, 33});
    const unsigned Offset = Width * oneOf({0, 1, 5}), Active = oneOf({7, 32});
    const MemorySpace Space =
        oneOf({0, 1}) ? MemorySpace::Shared : MemorySpace::Global;
    SCOPED_TRACE(testing::Message()
                 << Width << " bytes of " << Range << " x " << Unit << " + "
                 << Offset << ", " << Active << " lanes, space " << int(Space));
    TestKernel K;
    unsigned B = K.block(-1);
    K.Model.Blocks[B].Active = K.context().less(K.tid(), K.number(Active));
    unsigned A =
        K.access(B, "x", K.parameter("value@f.cu:1") * Unit + K.number(Offset));
    MemoryAccess &Access = K.Model.Accesses[A];
    Access.Space = Space;
    Access.Kind = oneOf({0, 1}) ? AccessKind::Load : AccessKind::Store;
    Access.BytesPerThread = Width;
    Unknown U;
    U.Kind = Unknown::LoadedValue;
    U.Name = "value@f.cu:1";
    U.UpperBound = K.number(Range - 1);
    K.Model.Unknowns.push_back(U);
    const GpuModel Gpu = testGpu();
    LaunchSample S =
        sampleLaunch(K.Model, Gpu, launch({40, 1, 1}, {32, 1, 1}), {});
    ASSERT_EQ(S.Accesses[A].Requests, 40);

    RequestCostModel Counter(Access, Gpu);
    constexpr unsigned Times = 4000;
    double Sectors = 0, Passes = 0;
    for (unsigned T = 0; T < Times; ++T) {
      std::vector<double> At(32, NAN);
      for (unsigned L = 0; L < Active; ++L)
        At[L] = Offset + Unit * double(Random() % Range);
      RequestCost One = Counter.computeCost(At);
      Sectors += One.Sectors / Times;
      Passes += One.Wavefronts / Times;
    }
    EXPECT_NEAR(S.Accesses[A].Sectors / 40, Sectors, 0.01 * Sectors);
    EXPECT_NEAR(S.Accesses[A].Wavefronts / 40, Passes, 0.08 * Passes);
  }
}

// The index is also in the condition: active lanes have only its lower half.
TEST(IndirectRequests, IndicesInConditionsHaveRestrictedValues) {
  TestKernel K;
  unsigned B = K.block(-1);
  Expr Value = K.parameter("value@f.cu:1");
  K.Model.Blocks[B].Active = K.context().less(Value, K.number(8));
  unsigned A = K.access(B, "x", Value * 32);
  Unknown U;
  U.Kind = Unknown::LoadedValue;
  U.Name = "value@f.cu:1";
  U.UpperBound = K.number(15);
  K.Model.Unknowns.push_back(U);
  LaunchSample S =
      sampleLaunch(K.Model, testGpu(), launch({4000, 1, 1}, {128, 1, 1}), {});
  // Each of 8 sectors is left alone by all 32 lanes with (15/16)^32.
  EXPECT_NEAR(S.Accesses[A].Sectors / S.Accesses[A].Requests,
              8 * (1 - std::pow(15.0 / 16, 32)), 0.3);
}

TEST(IndirectRequests, LanesThatLoadTheSameElementGetTheSameValue) {
  // x[start[i / 8]]: eight lanes share an index, and so do whole warps.
  TestKernel K;
  unsigned B = K.block(-1);
  unsigned Start = K.access(
      B, "start", K.context().floorDiv(K.id(), K.parameter("share")) * 4);
  unsigned X = K.access(B, "x", K.parameter("value@f.cu:3") * 4);
  Unknown U;
  U.Kind = Unknown::LoadedValue;
  U.Name = "value@f.cu:3";
  U.Location = {"f.cu", 3, 9};
  K.Model.Unknowns.push_back(U);
  K.Model.Accesses[Start].Location = U.Location;
  Launch L = launch({40, 1, 1}, {128, 1, 1});
  for (double Share : {1., 8., 32.}) {
    LaunchSample S = sampleLaunch(K.Model, testGpu(), L, {{"share", Share}});
    EXPECT_NEAR(S.Accesses[X].Sectors / S.Accesses[X].Requests, 32 / Share,
                0.01);
  }
  // Results of an atomic differ from thread to thread.
  K.Model.Accesses[Start].Kind = AccessKind::Atomic;
  LaunchSample S = sampleLaunch(K.Model, testGpu(), L, {{"share", 32}});
  EXPECT_NEAR(S.Accesses[X].Sectors / S.Accesses[X].Requests, 32, 0.01);
}

TEST(IndirectRequests, UnknownAddressesTakeASectorPerLane) {
  TestKernel K;
  K.access(K.block(-1), "", Expr());
  LaunchSample S =
      sampleLaunch(K.Model, testGpu(), launch({7, 1, 1}, {128, 1, 1}), {});
  EXPECT_NEAR(S.Accesses[0].Sectors, 7 * 128, 3);
}

} // namespace
