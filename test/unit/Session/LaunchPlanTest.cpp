/// \file
/// Who is believed about a launch, and what is made of host variables.
#include "gpu-estimate/Session/Plan/LaunchPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

using Sizes = std::array<uint64_t, 3>;

/// saxpy(int n, float *x), launched as <<<ceil(m/256), 256>>>(m, buffer of
/// 4*m bytes) from a host function with the parameter m.
struct Scene {
  KernelModel Kernel;
  LaunchSite Site;
  LaunchInputs Inputs;

  Scene() {
    Kernel.Context = std::make_shared<ExprContext>();
    KernelArgument N, X;
    N.Name = "n";
    X.Name = "x";
    X.Kind = KernelArgument::Pointer;
    X.ElementBytes = 4;
    Kernel.Arguments = {N, X};

    Site.Context = std::make_shared<ExprContext>();
    ExprContext &C = *Site.Context;
    Expr M = C.parameter("m");
    Site.Grid = {C.ceilDiv(M, C.constant(256)), C.constant(1), C.constant(1)};
    Site.Block = {C.constant(256), C.constant(1), C.constant(1)};
    Site.DynamicSharedBytes = C.constant(0);
    Site.Arguments["n"] = M;
    Site.Arguments["x"] = M * 4.0;
    Site.Location = {"dir/f.cu", 12, 3};
    Inputs.Kernel = &Kernel;
    Inputs.Site = &Site;
  }
};

bool guesses(const LaunchPlan &Plan, llvm::StringRef Key) {
  return llvm::any_of(Plan.Guesses,
                      [&](const LaunchGuess &G) { return G.Key == Key; });
}

} // namespace

TEST(LaunchPlan, ArgumentOfTheKernelIsSolvedForTheHostVariable) {
  Scene S;
  S.Inputs.Named["n"] = 1000;
  LaunchPlan Plan = planLaunch(S.Inputs);
  EXPECT_EQ(Plan.Used.Grid, (Sizes{4, 1, 1}));
  EXPECT_EQ(Plan.Used.Source, "host-code");
  EXPECT_EQ(Plan.Used.Location.Line, 12u);
  EXPECT_EQ(Plan.Values.lookup("n"), 1000);
  EXPECT_EQ(Plan.Values.lookup("x"), 1000) << "elements, not bytes";
  EXPECT_TRUE(Plan.Guesses.empty());
}

TEST(LaunchPlan, BufferSizeIsSolvedToo) {
  Scene S;
  S.Inputs.Named["x"] = 512;
  LaunchPlan Plan = planLaunch(S.Inputs);
  EXPECT_EQ(Plan.Used.Grid, (Sizes{2, 1, 1}));
  EXPECT_EQ(Plan.Values.lookup("n"), 512);
}

TEST(LaunchPlan, HostVariableByItsName) {
  Scene S;
  S.Inputs.Named["m"] = 512;
  EXPECT_EQ(planLaunch(S.Inputs).Used.Grid, (Sizes{2, 1, 1}));
}

TEST(LaunchPlan, ArgumentNamePrecedesHostVariableOfTheSameName) {
  Scene S;
  ExprContext &C = *S.Site.Context;
  // The host's n is twice the kernel's n.
  S.Site.Grid[0] = C.ceilDiv(C.parameter("n"), C.constant(256));
  S.Site.Arguments["n"] = C.parameter("n") * 0.5;
  S.Site.Arguments["x"] = C.parameter("n") * 4.0;
  S.Inputs.Named["n"] = 1024;
  LaunchPlan Plan = planLaunch(S.Inputs);
  EXPECT_EQ(Plan.Used.Grid, (Sizes{8, 1, 1}));
  EXPECT_EQ(Plan.Values.lookup("n"), 1024);
}

TEST(LaunchPlan, GuessesAreStated) {
  Scene S;
  LaunchPlan Plan = planLaunch(S.Inputs);
  ASSERT_TRUE(guesses(Plan, "m"));
  EXPECT_EQ(Plan.Guesses[0].Stated.Value, 1048576);
  EXPECT_NE(Plan.Guesses[0].Stated.Settle.find("--param 'm="),
            std::string::npos);
  EXPECT_EQ(Plan.Used.Grid, (Sizes{4096, 1, 1}));
  EXPECT_EQ(Plan.Values.lookup("n"), 1048576);
}

/// The plan for a grid that an authority states.
static LaunchPlan withGrid(Scene &S, uint64_t Blocks) {
  LaunchSettings Stated;
  Stated.Grid = Sizes{Blocks, 1, 1};
  S.Inputs.Authorities = {{"config", Stated}};
  return planLaunch(S.Inputs);
}

TEST(LaunchPlan, AStatedGridSettlesTheVariableThatMakesIt) {
  // ceil(m / 256) = 3907 for 999937 <= m <= 1000192 = 3907 * 256.
  Scene S;
  LaunchPlan Plan = withGrid(S, 3907);
  ASSERT_TRUE(guesses(Plan, "m"));
  EXPECT_EQ(Plan.Guesses[0].Stated.Value, 1000192);
  EXPECT_EQ(Plan.Guesses[0].Stated.Low, 999937);
  EXPECT_EQ(Plan.Guesses[0].Stated.High, 1000192);
  EXPECT_FALSE(Plan.Guesses[0].IsInvented);
  EXPECT_EQ(Plan.Values.lookup("n"), 1000192);
}

TEST(LaunchPlan, OneValueThatMakesAStatedGridIsNoGuess) {
  Scene S;
  ExprContext &C = *S.Site.Context;
  S.Site.Grid[0] = C.parameter("rows") * 2.0;
  S.Site.Arguments["n"] = C.parameter("rows");
  S.Site.Arguments.erase("x");
  LaunchPlan Plan = withGrid(S, 64);
  EXPECT_TRUE(Plan.Guesses.empty());
  EXPECT_EQ(Plan.Values.lookup("n"), 32);
}

TEST(LaunchPlan, AStatedGridAgainstAnInitialValue) {
  Scene S;
  S.Site.Defaults["m"] = 1000; // 4 blocks
  EXPECT_EQ(withGrid(S, 4).Values.lookup("n"), 1000);
  EXPECT_EQ(withGrid(S, 8).Values.lookup("n"), 2048);
}

TEST(LaunchPlan, AStatedGridThatNoValueMakesSettlesNothing) {
  Scene S;
  ExprContext &C = *S.Site.Context;
  S.Site.Grid[0] = C.parameter("m") * 2.0;
  EXPECT_EQ(withGrid(S, 7).Guesses[0].Stated.Value, 1048576);
}

TEST(LaunchPlan, TheSizeOfABufferIsNoReasonToGuess) {
  Scene S;
  ExprContext &C = *S.Site.Context;
  S.Site.Arguments["x"] = C.parameter("elements") * 4.0;
  S.Inputs.Named["n"] = 1000;
  LaunchPlan Plan = planLaunch(S.Inputs);
  EXPECT_TRUE(Plan.Guesses.empty());
  EXPECT_FALSE(Plan.Values.contains("x"));
  S.Inputs.Named["elements"] = 77;
  EXPECT_EQ(planLaunch(S.Inputs).Values.lookup("x"), 77);
}

TEST(LaunchPlan, InitialValueInTheSourceIsTheFirstGuess) {
  Scene S;
  S.Site.Defaults["m"] = 2048;
  LaunchPlan Plan = planLaunch(S.Inputs);
  ASSERT_TRUE(guesses(Plan, "m"));
  EXPECT_EQ(Plan.Used.Grid, (Sizes{8, 1, 1}));
}

TEST(LaunchPlan, HigherAuthorityWinsPartByPart) {
  Scene S;
  S.Inputs.Named["n"] = 1000;
  LaunchSettings CommandLine, Config;
  CommandLine.Block = {128, 1, 1};
  Config.Block = {64, 1, 1};
  Config.Grid = {7, 1, 1};
  S.Inputs.Authorities = {{"command-line", CommandLine}, {"config", Config}};
  LaunchPlan Plan = planLaunch(S.Inputs);
  EXPECT_EQ(Plan.Used.Block, (Sizes{128, 1, 1}));
  EXPECT_EQ(Plan.Used.Grid, (Sizes{7, 1, 1}));
  EXPECT_EQ(Plan.Used.Source, "command-line");
}

TEST(LaunchPlan, WithoutALaunchDefaultsAreAssumptions) {
  Scene S;
  S.Inputs.Site = nullptr;
  LaunchPlan Plan = planLaunch(S.Inputs);
  EXPECT_EQ(Plan.Used.Source, "default");
  EXPECT_EQ(Plan.Used.Grid, (Sizes{1024, 1, 1}));
  EXPECT_EQ(Plan.Used.Block, (Sizes{256, 1, 1}));
  EXPECT_TRUE(guesses(Plan, "gridDim.x"));
  EXPECT_TRUE(guesses(Plan, "blockDim.x"));

  S.Kernel.Res.MaxThreadsPerBlock = 96;
  EXPECT_EQ(planLaunch(S.Inputs).Used.Block, (Sizes{96, 1, 1}));
}

TEST(LaunchPlan, TwoDimensionalKernelsGetTwoDimensionalDefaults) {
  Scene S;
  S.Inputs.Site = nullptr;
  MemoryAccess A;
  A.Address = S.Kernel.Context->parameter("threadIdx.y") +
              16 * S.Kernel.Context->parameter("blockIdx.y") +
              512 * S.Kernel.Context->parameter("blockIdx.x");
  S.Kernel.Accesses.push_back(A);
  LaunchPlan Plan = planLaunch(S.Inputs);
  EXPECT_EQ(Plan.Used.Block, (Sizes{16, 16, 1}));
  EXPECT_EQ(Plan.Used.Grid, (Sizes{32, 32, 1}));
}

TEST(LaunchPlan, UnknownSizeOfASeenLaunchIsAnAssumption) {
  Scene S;
  S.Site.Grid[0] = Expr();
  S.Inputs.Named["n"] = 1000;
  LaunchPlan Plan = planLaunch(S.Inputs);
  EXPECT_TRUE(guesses(Plan, "gridDim.x"));
  EXPECT_FALSE(guesses(Plan, "blockDim.x"));
  EXPECT_EQ(Plan.Used.Source, "host-code");
}

TEST(LaunchPlan, ConstantOfTheHostCodeAgainstTheUser) {
  Scene S;
  ExprContext &C = *S.Site.Context;
  S.Site.Grid[0] = C.constant(4);
  S.Site.Arguments["n"] = C.constant(1024);
  S.Inputs.Named["n"] = 4096;
  LaunchPlan Plan = planLaunch(S.Inputs);
  EXPECT_EQ(Plan.Values.lookup("n"), 4096);
  ASSERT_EQ(Plan.Notices.size(), 1u);
  EXPECT_NE(Plan.Notices[0].find("passes 1024"), std::string::npos);
}

TEST(LaunchPlan, AnEmptyGridIsLeftForTheEvaluationToRefuse) {
  Scene S;
  S.Inputs.Named["n"] = 0;
  EXPECT_EQ(planLaunch(S.Inputs).Used.Grid[0], 0u);
}

TEST(LaunchPlans, EqualLaunchesAreOne) {
  Scene S;
  S.Inputs.Named["n"] = 1000;
  LaunchSite Second = S.Site, Third = S.Site;
  Third.Block[0] = Third.Context->constant(128);
  EXPECT_EQ(planLaunches(S.Inputs, {&S.Site, &Second, &Third}).size(), 2u);
  EXPECT_EQ(planLaunches(S.Inputs, {}).size(), 1u);
}

TEST(LaunchPlans, EachVariantOfAHostLoop) {
  Scene S;
  for (double Value : {256.0, 1024.0}) {
    LaunchVariant V;
    V.Values["m"] = Value;
    S.Site.Variants.push_back(V);
  }
  std::vector<LaunchPlan> Plans = planLaunches(S.Inputs, {&S.Site});
  ASSERT_EQ(Plans.size(), 2u);
  EXPECT_EQ(Plans[0].Used.Grid[0], 1u);
  EXPECT_EQ(Plans[1].Used.Grid[0], 4u);
  EXPECT_TRUE(Plans[1].Guesses.empty());
}

TEST(LaunchPlan, KnownNamesIncludeArgumentsUnknownsAndHostVariables) {
  Scene S;
  Unknown U;
  U.Name = "trip@f.cu:4";
  S.Kernel.Unknowns.push_back(U);
  std::vector<std::string> Names;
  collectParameterNames(S.Kernel, {&S.Site}, Names);
  for (const char *Name : {"n", "x", "m", "trip@f.cu:4"})
    EXPECT_TRUE(llvm::is_contained(Names, Name)) << Name;
}

TEST(LaunchPlan, WhatTheDeviceIsAskedForIsKnown) {
  Scene S;
  ExprContext &C = *S.Site.Context;
  S.Site.Grid[0] = 4.0 * C.parameter("gpu.multiProcessorCount");
  EXPECT_TRUE(followDevice({&S.Site}));
  S.Inputs.Named["n"] = 1000;
  GpuModel Gpu;
  Gpu.SmCount = 80;
  S.Inputs.Gpu = &Gpu;
  LaunchPlan Plan = planLaunch(S.Inputs);
  EXPECT_EQ(Plan.Used.Grid, (Sizes{320, 1, 1}));
  EXPECT_TRUE(Plan.Guesses.empty());
  EXPECT_EQ(Plan.Values.count("gpu.multiProcessorCount"), 0u)
      << "no argument of the kernel";
  S.Inputs.Named["gpu.multiProcessorCount"] = 10;
  EXPECT_EQ(planLaunch(S.Inputs).Used.Grid, (Sizes{40, 1, 1}));
  Scene Other;
  EXPECT_FALSE(followDevice({&Other.Site}));
  Expr Last = Other.Site.Context->parameter("gpu.multiProcessorCount");
  Other.Site.Ranges["b"] = {Other.Site.Context->constant(1), Last};
  EXPECT_TRUE(followDevice({&Other.Site})) << "a loop up to it";
}

TEST(LaunchPlan, WhatAnOccupancyQueryLeavesOpenIsStated) {
  Scene S;
  ExprContext &C = *S.Site.Context;
  S.Kernel.Mangled = "k";
  S.Kernel.Res.RegistersPerThread = 64;
  S.Site.Grid[0] = C.parameter("gpu.activeBlocks(k)");
  S.Inputs.Named["n"] = 1000;
  GpuModel Gpu;
  Gpu.SmCount = 80;
  Gpu.MaxWarpsPerSm = 64;
  Gpu.MaxBlocksPerSm = 32;
  Gpu.RegistersPerSm = 65536;
  S.Inputs.Gpu = &Gpu;
  OccupancyQuery Query;
  Query.Kernel = "k";
  Query.Threads = C.constant(256);
  Query.DynamicSharedBytes = C.constant(0);
  auto plan = [&] {
    S.Site.Queries["gpu.activeBlocks(k)"] = Query;
    return planLaunch(S.Inputs);
  };
  LaunchPlan Settled = plan();
  EXPECT_EQ(Settled.Used.Grid[0], 4u) << "65536 registers";
  EXPECT_TRUE(Settled.Guesses.empty());
  Query.DynamicSharedBytes = Expr();
  EXPECT_TRUE(guesses(plan(), "gpu.activeBlocks(k)")) << "how much memory?";
  Query.DynamicSharedBytes = C.constant(0);
  Query.Kernel = "other";
  LaunchPlan Other = plan();
  EXPECT_EQ(Other.Used.Grid[0], 8u) << "as threads allow";
  EXPECT_TRUE(guesses(Other, "gpu.activeBlocks(k)"));
  S.Inputs.Named["gpu.activeBlocks(k)"] = 3;
  EXPECT_EQ(plan().Used.Grid[0], 3u) << "somebody says so";
}

/// idx[i] = i, and the same buffer is written through another pointer.
TEST(LaunchPlan, SharedBuffersHaveNoKnownContents) {
  Scene S;
  KernelArgument Y = S.Kernel.Arguments.back();
  Y.Name = "y";
  S.Kernel.Arguments.push_back(Y);
  ExprContext &C = *S.Site.Context;
  BufferContents Rule;
  Rule.Element = C.parameter(BufferContents::Number);
  Rule.Bytes = 4;
  S.Site.Contents["x"] = Rule;
  EXPECT_TRUE(planLaunch(S.Inputs).Contents.contains("x"));
  S.Site.Origins["y"] = {"x", C.constant(64)};
  LaunchPlan Plan = planLaunch(S.Inputs);
  ASSERT_EQ(Plan.Parts.size(), 1u);
  EXPECT_TRUE(Plan.Contents.empty());
  // A measured case has no site, and takes the same from all of them.
  LaunchInputs Case;
  Case.Kernel = &S.Kernel;
  Case.Parts = Plan.Parts;
  Case.Contents["x"] = Rule;
  Case.Premises = {"of the sites"};
  LaunchPlan Measured = planLaunch(Case);
  EXPECT_EQ(Measured.Parts, Plan.Parts);
  EXPECT_TRUE(Measured.Contents.empty());
  EXPECT_EQ(Measured.Premises, Case.Premises);
  // What the user says of the pointer has precedence.
  Case.Pointers["y"] = "y";
  EXPECT_TRUE(planLaunch(Case).Parts.empty());
}

/// A plan is planned again from itself alone, also one that it has chosen a
/// variant for.
TEST(LaunchPlan, HoldsWhatItWasPlannedFrom) {
  Scene S;
  LaunchVariant V;
  V.Values["m"] = 4096;
  S.Site.Variants = {V};
  LaunchPlan Plan = planLaunches(S.Inputs, {&S.Site}).front();
  EXPECT_EQ(planLaunch(*Plan.From).Used.Grid, (Sizes{16, 1, 1}));
  LaunchInputs Other = *Plan.From;
  Other.Variant = nullptr;
  Other.Named["m"] = 512;
  EXPECT_EQ(planLaunch(Other).Used.Grid, (Sizes{2, 1, 1}));
  EXPECT_EQ(planWithBlock(Plan, {128, 1, 1}, "advice").Used.Block,
            (Sizes{128, 1, 1}));
}
