/// \file
/// Advice on hand-made kernels: offered where the change helps, for the access
/// that is at fault, with the gain that evaluating the change gives.
#include "gpu-estimate/Advice/Advice.h"
#include "helpers/EvaluateKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

Launch launch(uint64_t Blocks, uint64_t Threads) {
  Launch L;
  L.Grid = {Blocks, 1, 1};
  L.Block = {Threads, 1, 1};
  return L;
}

struct Advised {
  Prediction Base;
  std::vector<Finding> Findings;

  Advised(const KernelModel &Kernel, const Launch &L,
          uint64_t MaxWork = EvaluateOptions().MaxAdviceWork) {
    EvaluateOptions Options;
    Options.MaxAdviceWork = MaxWork;
    llvm::Expected<Prediction> P =
        evaluate(Kernel, plainGpu(), L, Bindings(), Options);
    if (!P) {
      ADD_FAILURE() << llvm::toString(P.takeError());
      return;
    }
    Base = std::move(*P);
    Findings = findCosts(Base, Kernel, plainGpu(), L, Bindings(), Options);
  }

  const Finding *find(llvm::StringRef Id) const {
    auto Found =
        llvm::find_if(Findings, [&](const Finding &F) { return F.Id == Id; });
    return Found == Findings.end() ? nullptr : &*Found;
  }
};

/// out[i] = in[stride * i]
OpKernel strided(double Stride) {
  OpKernel K;
  K.block(-1);
  unsigned Load = K.load("in", {}, K.id() * (4 * Stride));
  K.store("out", {{Load, false}});
  K.Model.Res.RegistersPerThread = 16;
  return K;
}

/// Many passes over shared memory, Stride words between lanes.
OpKernel sharedColumn(double Stride) {
  OpKernel K;
  int Loop = K.loop(-1, K.number(100));
  K.block(Loop);
  K.loadShared("tile", {}, K.tid() * (4 * Stride));
  K.Model.Res.RegistersPerThread = 16;
  K.Model.Res.StaticSharedBytes = 4096;
  return K;
}

TEST(Advice, EvaluatesNoChangeBeyondItsLimitOfWork) {
  Launch L = launch(10000, 256);
  unsigned All = 0, First = 0;
  for (const Finding &F : Advised(strided(32).Model, L).Findings)
    All += F.Gain.has_value();
  for (const Finding &F : Advised(strided(32).Model, L, 0).Findings)
    First += F.Gain.has_value();
  EXPECT_GT(All, First);
}

} // namespace

TEST(Advice, StridedLoadIsToBeCoalesced) {
  Advised Strided(strided(32).Model, launch(4096, 256));
  const Finding *Found = Strided.find("uncoalesced-load");
  ASSERT_NE(Found, nullptr);
  EXPECT_NE(Found->Remedy.find("'in'"), std::string::npos);
  EXPECT_EQ(Strided.find("uncoalesced-store"), nullptr);

  // The change that is promised is the kernel with stride 1.
  Advised Coalesced(strided(1).Model, launch(4096, 256));
  EXPECT_NEAR(*Found->Gain, 1 - Coalesced.Base.Time / Strided.Base.Time, 1e-9);
}

TEST(Advice, CoalescedAccessesNeedNoAdvice) {
  EXPECT_TRUE(Advised(strided(1).Model, launch(4096, 256)).Findings.empty());
}

TEST(Advice, LoadedAddressesCannotBeRearranged) {
  OpKernel K = strided(32);
  K.Model.Accesses[0].DataDependent = true;
  Advised A(K.Model, launch(4096, 256));
  EXPECT_EQ(A.find("uncoalesced-load"), nullptr);
  const Finding *Found = A.find("indirect-load");
  ASSERT_NE(Found, nullptr);
  EXPECT_FALSE(Found->Gain);
}

TEST(Advice, BankConflicts) {
  Advised Column(sharedColumn(32).Model, launch(64, 256));
  const Finding *Found = Column.find("bank-conflict");
  ASSERT_NE(Found, nullptr);
  EXPECT_GT(*Found->Gain, 0.5);
  EXPECT_LT(*Found->Gain, 1);
  EXPECT_EQ(
      Advised(sharedColumn(1).Model, launch(64, 256)).find("bank-conflict"),
      nullptr);
}

TEST(Advice, CopiesOfAnAccessAreChangedTogether) {
  OpKernel K;
  K.block(-1);
  for (unsigned Copy = 0; Copy < 4; ++Copy) {
    K.load("in", {}, K.id() * 128 + K.number(4 * Copy));
    K.Model.Accesses.back().Location = {"k.cu", 3, 7};
  }
  K.Model.Res.RegistersPerThread = 16;
  Advised A(K.Model, launch(4096, 256));
  EXPECT_EQ(llvm::count_if(
                A.Findings,
                [](const Finding &F) { return F.Id == "uncoalesced-load"; }),
            1);
}

TEST(Advice, AdviceIsWorthALineAndSorted) {
  ExplainedPrediction E;
  E.Findings = {{"a", "a", {}, "small", "change", 0.01},
                {"b", "b", {}, "good", "change", 0.1},
                {"c", "c", {}, "unknown", "", std::nullopt},
                {"d", "d", {}, "better", "change", 0.2}};
  std::vector<const Finding *> Advice = E.advice();
  ASSERT_EQ(Advice.size(), 2u);
  EXPECT_EQ(Advice[0]->Problem, "better");
  EXPECT_EQ(Advice[1]->Problem, "good");
}

TEST(Advice, EveryBoundHasWords) {
  for (const BoundInfo &Row : boundTable())
    EXPECT_TRUE(describeBottleneck(Row.name()).contains(' '))
        << Row.name().str();
}
