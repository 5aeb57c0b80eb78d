/// \file
/// mwp-cwp against what CGPredict prints (tables 3 to 5, section 4.4 of Wang,
/// Zhong, Mitra, ACM TECS 16(5s):146, 2017), and what it is fed with.
///
/// The machine is table 3. The counts of a kernel's accesses are not printed:
/// the classes follow from the loops, but how many lines a warp fetches from
/// DRAM for each (0.25 of a coalesced access, 1/64 of a constant one) was read
/// back from the printed times (validation/cgpredict/README.md). So the times
/// show that the equations are those of the paper; the parallelisms (54.45 and
/// 5.97), the caps and the cases, which were not used, test the counts.
#include "Evaluate/Models/MwpCwp.h"
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

constexpr double Clock = 852e6;

/// Table 3: Tegra K1.
MwpCwpMachine tegraK1() {
  MwpCwpMachine M;
  M.CyclesPerInstruction = 0.5;
  M.LatencyL2 = 164;
  M.LatencyDram = 332;
  M.LatencyShared = 67;
  M.SharedLoadLatency = 506;
  M.DepartureL2 = 2;
  M.DepartureDram = 10;
  return M;
}

/// Instructions for each access: a loop with two loads has, beside them, a
/// multiply-add, two additions of addresses, a comparison and a branch. The
/// paper does not print them; while memory bounds the time they hardly matter.
constexpr double InstructionsPerAccess = 7.0 / 2;

/// N^2 threads in blocks of 32 x 32, two blocks in one multiprocessor (2048
/// threads of compute capability 3.2 hold 64 warps); Inner iterations with Each
/// loads of two classes. Constant loads fetch a line of 16 elements for four
/// warps of the trace's row (n = 1/64, for two pairs of rows 1/128).
MwpCwpWork product(double N, double Inner, double PerIteration,
                   double ConstantDram) {
  MwpCwpWork W;
  W.Constant = {Inner * PerIteration, 1, ConstantDram};
  W.Instructions = 2 * Inner * PerIteration * InstructionsPerAccess;
  W.Warps = 64;
  W.Blocks = 2;
  W.Batches = N * N / 1024 / 2;
  return W;
}
MwpCwpWork gemm(double N) {
  MwpCwpWork W = product(N, N, 1, 1.0 / 64);
  W.Coalesced = {N, 2, 0.25};
  return W;
}
MwpCwpWork syrk(double N) {
  MwpCwpWork W = product(N, N, 1, 1.0 / 64);
  W.Uncoalesced = {N, 32, 1};
  return W;
}

double milliseconds(const MwpCwpWork &W) {
  return mwpCwp(tegraK1(), W).cycles() / Clock * 1e3;
}

/// The estimates of table 4, to what the unknown instructions leave open.
TEST(MwpCwp, ReproducesTable4) {
  auto Expect = [](double Milliseconds, double Printed) {
    EXPECT_NEAR(Milliseconds, Printed, 5e-4 * Printed);
  };
  Expect(milliseconds(gemm(1024)), 242.53);
  Expect(milliseconds(syrk(1024)), 2605.45);
  MwpCwpWork Syr2k = product(1024, 1024, 2, 1.0 / 128);
  Syr2k.Uncoalesced = {2048, 32, 1};
  Expect(milliseconds(Syr2k), 5204.73);
  // Three products, and one of 2MM's two.
  Expect(3 * milliseconds(gemm(2048)), 5819.73);
  Expect(milliseconds(gemm(4096)), 15518.11);
}

TEST(MwpCwp, UnknownInstructionsHardlyMatter) {
  MwpCwpWork Gemm = gemm(1024), Busier = Gemm;
  Busier.Instructions += 2 * 1024 * 2.5; // six for each access
  double Less = milliseconds(Gemm), More = milliseconds(Busier);
  EXPECT_GT(More, Less);
  EXPECT_NEAR(More, Less, 2e-4 * Less);
}

TEST(MwpCwp, ReproducesTheWarpParallelisms) {
  MwpCwpResult Gemm = mwpCwp(tegraK1(), gemm(1024));
  MwpCwpResult Syrk = mwpCwp(tegraK1(), syrk(1024));
  EXPECT_NEAR(Gemm.Mwp, 54.45, 0.005);
  EXPECT_NEAR(Syrk.Mwp, 5.97, 0.005);
  EXPECT_EQ(Syrk.Cwp, 64); // its cap
  EXPECT_EQ(Syrk.Case, MwpCwpResult::MemoryBound);
}

/// Table 5: a product of 1024 with tiles of 32 x 32 has 64 loads that fill
/// them and 2048 accesses; SYRK meets 16-way conflicts in half of them.
TEST(MwpCwp, SharedTilesAreWithinTwoPercentOfTable5) {
  MwpCwpWork Gemm = product(1024, 1024, 1, 0);
  Gemm.Constant = {};
  Gemm.SharedLoads = 64;
  Gemm.SharedPasses = 2048;
  MwpCwpWork Syrk = Gemm;
  Syrk.SharedPasses = 1024 * 16 + 1024;
  MwpCwpResult R = mwpCwp(tegraK1(), Gemm);
  EXPECT_EQ(R.Case, MwpCwpResult::SharedTiles);
  EXPECT_EQ(R.SharedLoadCycles, 64 * 506.0); // (19)
  EXPECT_EQ(R.SharedCycles, 2048 * 67.0);    // (20)
  EXPECT_NEAR(milliseconds(Gemm), 105.75, 0.02 * 105.75);
  EXPECT_NEAR(milliseconds(Syrk), 713.42, 0.02 * 713.42);
}

// As printed, (16) and (17) are far above the printed estimates of table 5.
TEST(MwpCwp, PrintedRuleForSharedTiles) {
  MwpCwpWork Gemm = product(1024, 1024, 1, 0);
  Gemm.Constant = {};
  Gemm.SharedLoads = 64;
  Gemm.SharedPasses = 2048;
  MwpCwpResult R = mwpCwp(tegraK1(), Gemm, MwpCwpRules::Printed);
  EXPECT_EQ(R.Case, MwpCwpResult::ComputeBound);
  EXPECT_DOUBLE_EQ(R.cycles(),
                   (R.MemoryLatency + R.ComputeCycles * 64) * Gemm.Batches);
  EXPECT_GT(R.cycles() / Clock * 1e3, 10 * 105.75);
}

// (24), (25): one mean latency and delay, whatever the class.
TEST(MwpCwp, BaselineHasOneMissRate) {
  MwpCwpWork W = gemm(1024);
  W.L2Miss = 0.25;
  MwpCwpResult R = mwpCwp(tegraK1(), W, MwpCwpRules::Baseline);
  EXPECT_DOUBLE_EQ(R.MemoryLatency, 0.75 * 164 + 0.25 * 332);
  EXPECT_DOUBLE_EQ(R.DepartureDelay, 0.75 * 2 + 0.25 * 10);
  EXPECT_DOUBLE_EQ(R.Mwp, 206 / 4.0);
}

TEST(MwpCwp, LatencyOfUncoalescedAccess) {
  MwpCwpMachine M = tegraK1();
  // (1), (2): DRAM shows only where an instruction has several transactions.
  EXPECT_EQ(mwpCwpLatency(M, {1, 32, 1}, false), 164 + 31 * 2);
  EXPECT_EQ(mwpCwpLatency(M, {1, 32, 8}, false), 164 + 332 + 7 * 10);
  EXPECT_EQ(mwpCwpLatency(M, {1, 1, 0.5}, true), 164 + 166); // (4)
  // (3): 32 transactions of L2 hide up to 6.4 of DRAM; (5) is a sum.
  EXPECT_EQ(mwpCwpDeparture(M, {1, 32, 6}, false), 64);
  EXPECT_EQ(mwpCwpDeparture(M, {1, 32, 7}, false), 70);
  EXPECT_EQ(mwpCwpDeparture(M, {1, 1, 1}, true), 12);
}

/// (17): with little memory the warps' computation adds up.
TEST(MwpCwp, ComputationOfAllWarps) {
  MwpCwpWork W;
  W.Coalesced = {1, 2, 0.25};
  W.Instructions = 1000;
  W.Warps = 8;
  W.Batches = 10;
  MwpCwpResult R = mwpCwp(tegraK1(), W);
  EXPECT_EQ(R.Case, MwpCwpResult::ComputeBound);
  EXPECT_DOUBLE_EQ(R.cycles(), (166 + 500.0 * 8) * 10);
}

/// (23)
TEST(MwpCwp, Barriers) {
  MwpCwpWork W = gemm(1024);
  double Without = mwpCwp(tegraK1(), W).cycles();
  W.Barriers = 3;
  MwpCwpResult R = mwpCwp(tegraK1(), W);
  EXPECT_NEAR(R.cycles() - Without,
              R.DepartureDelay * (R.Mwp - 1) * 3 * 2 * 512, 1);
}

Prediction predict(const OpKernel &K, const GpuModel &G, const Launch &L) {
  EvaluateOptions Options;
  Options.Model = "mwp-cwp";
  llvm::Expected<Prediction> P = evaluate(K.Model, G, L, {}, Options);
  if (P)
    return *P;
  ADD_FAILURE() << llvm::toString(P.takeError());
  return {};
}

/// A stream of 4-byte elements: each warp reads 128 bytes, 4 sectors, and its
/// departures are those of DRAM, shared by all multiprocessors.
TEST(MwpCwp, StreamTakesTheBandwidthOfDram) {
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  K.block(-1);
  K.load("a");
  GpuModel G = plainGpu();
  G.DramLatency = Cycles(250); // few enough warps cover it: MWP < N
  double Blocks = 1 << 16;
  Prediction P = predict(K, G, launch({1 << 16, 1, 1}, {256, 1, 1}));
  EXPECT_EQ(checkConsistency(P), "");
  EXPECT_EQ(P.Bottleneck, "dram-bandwidth");
  EXPECT_NEAR(P.Time.value(), Blocks * 1024 / G.DramReadBandwidth.value(),
              0.05 * P.Time.value());
}

TEST(MwpCwp, RefusesWhatIsUnknown) {
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  K.block(-1);
  K.load("a");
  GpuModel G = plainGpu();
  G.DramLatency = Cycles(0);
  EvaluateOptions Options;
  Options.Model = "mwp-cwp";
  auto P = evaluate(K.Model, G, launch({1, 1, 1}, {32, 1, 1}), {}, Options);
  ASSERT_FALSE(bool(P));
  llvm::Error E = P.takeError();
  EXPECT_TRUE(E.isA<ModelRefusal>());
  EXPECT_NE(llvm::toString(std::move(E)).find("dram.latency"),
            std::string::npos);

  G.DramLatency = Cycles(500);
  G.Sources["l2.latency"].Kind = "assumed";
  auto Assumed =
      evaluate(K.Model, G, launch({1, 1, 1}, {32, 1, 1}), {}, Options);
  ASSERT_FALSE(bool(Assumed));
  EXPECT_NE(llvm::toString(Assumed.takeError()).find("only assumed"),
            std::string::npos);
}

/// What another GPU lent, and what the model lacks, stands in the prediction.
TEST(MwpCwp, StatesWhatItTakesForGranted) {
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  int Loop = K.loop(-1, K.number(64));
  K.block(Loop);
  K.load("a", {}, K.tid() * 4);
  GpuModel G = plainGpu();
  G.Sources["l2.latency"].Kind = "inherited";
  G.Sources["l2.latency"].Note = "from its sibling";
  Prediction P = predict(K, G, launch({64, 1, 1}, {128, 1, 1}));
  std::string All;
  for (const std::string &Premise : P.Premises)
    All += Premise + "\n";
  EXPECT_NE(All.find("l2.latency of this GPU is inherited: from its sibling"),
            std::string::npos)
      << All;
  EXPECT_NE(All.find("mwp-cwp has no L1"), std::string::npos) << All;
}

} // namespace
