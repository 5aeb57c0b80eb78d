/// \file
/// Advice on hand-made kernels: offered where the change helps, for the access
/// that is at fault, with the gain that evaluating the change gives.
#include "gpu-estimate/Explain/Explain.h"
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
  std::vector<Advice> Hints;

  Advised(const KernelModel &Kernel, const Launch &L) {
    EvaluateOptions Options;
    llvm::Expected<Prediction> P =
        evaluate(Kernel, plainGpu(), L, Bindings(), Options);
    if (!P) {
      ADD_FAILURE() << llvm::toString(P.takeError());
      return;
    }
    Base = std::move(*P);
    Hints = advise(Base, Kernel, plainGpu(), L, Bindings(), Options);
  }

  const Advice *find(llvm::StringRef Id) const {
    auto Found =
        llvm::find_if(Hints, [&](const Advice &A) { return A.Id == Id; });
    return Found == Hints.end() ? nullptr : &*Found;
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

} // namespace

TEST(Explain, StridedLoadIsToBeCoalesced) {
  Advised Strided(strided(32).Model, launch(4096, 256));
  const Advice *Hint = Strided.find("uncoalesced-load");
  ASSERT_NE(Hint, nullptr);
  EXPECT_NE(Hint->Text.find("'in'"), std::string::npos);
  EXPECT_EQ(Strided.find("uncoalesced-store"), nullptr);

  // The change that is promised is the kernel with stride 1.
  Advised Coalesced(strided(1).Model, launch(4096, 256));
  EXPECT_NEAR(Hint->PredictedGain, 1 - Coalesced.Base.Time / Strided.Base.Time,
              1e-9);
}

TEST(Explain, CoalescedAccessesNeedNoAdvice) {
  EXPECT_TRUE(Advised(strided(1).Model, launch(4096, 256)).Hints.empty());
}

TEST(Explain, LoadedAddressesCannotBeRearranged) {
  OpKernel K = strided(32);
  K.Model.Accesses[0].DataDependent = true;
  EXPECT_EQ(Advised(K.Model, launch(4096, 256)).find("uncoalesced-load"),
            nullptr);
}

TEST(Explain, BankConflicts) {
  Advised Column(sharedColumn(32).Model, launch(64, 256));
  const Advice *Hint = Column.find("bank-conflict");
  ASSERT_NE(Hint, nullptr);
  EXPECT_GT(Hint->PredictedGain, 0.5);
  EXPECT_LT(Hint->PredictedGain, 1);
  EXPECT_TRUE(Advised(sharedColumn(1).Model, launch(64, 256)).Hints.empty());
}

TEST(Explain, CopiesOfAnAccessAreChangedTogether) {
  OpKernel K;
  K.block(-1);
  for (unsigned Copy = 0; Copy < 4; ++Copy) {
    K.load("in", {}, K.id() * 128 + K.number(4 * Copy));
    K.Model.Accesses.back().Location = {"k.cu", 3, 7};
  }
  K.Model.Res.RegistersPerThread = 16;
  Advised A(K.Model, launch(4096, 256));
  EXPECT_EQ(
      llvm::count_if(
          A.Hints, [](const Advice &H) { return H.Id == "uncoalesced-load"; }),
      1);
}

TEST(Explain, HintsAreWorthALineAndSorted) {
  OpKernel K = strided(32);
  Advised A(K.Model, launch(4096, 256));
  for (const Advice &H : A.Hints)
    EXPECT_GE(H.PredictedGain, MinimumGain);
  EXPECT_TRUE(llvm::is_sorted(A.Hints, [](const Advice &X, const Advice &Y) {
    return X.PredictedGain > Y.PredictedGain;
  }));
}

TEST(Explain, EveryBoundHasWords) {
  for (const BoundInfo &Row : boundTable())
    EXPECT_TRUE(describeBottleneck(Row.Name).contains(' ')) << Row.Name.str();
}
