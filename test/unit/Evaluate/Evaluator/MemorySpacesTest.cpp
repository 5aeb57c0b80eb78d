/// \file
/// Constant memory and textures in the time of a launch.
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// Ten rounds of a load that the next round waits for.
OpKernel chain(OpClass Class, MemorySpace Space, double Stride) {
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  int Loop = K.loop(-1, K.number(10));
  K.block(Loop);
  unsigned A = K.memory(Class, Space, AccessKind::Load, "c", K.tid() * Stride);
  K.last().Operands.push_back({A, true});
  return K;
}

Prediction predict(const OpKernel &K, const GpuModel &G) {
  return llvm::cantFail(
      evaluate(K.Model, G, launch({64, 1, 1}, {32, 1, 1}), {}, {}));
}

TEST(MemorySpaces, ConstantMemoryServesOneWordAtATime) {
  auto of = [](double Stride) {
    return predict(chain(OpClass::LoadConstant, MemorySpace::Constant, Stride),
                   plainGpu());
  };
  Prediction One = of(0), Many = of(4);
  EXPECT_EQ(One.Accesses[0].PassesPerRequest, 1);
  EXPECT_EQ(Many.Accesses[0].PassesPerRequest, 32);
  EXPECT_GT(Many.Execution.value(), 1.5 * One.Execution.value());
  EXPECT_EQ(Many.Count.DramBytes, 0);
}

// Ten rounds of 16 blocks on each multiprocessor over one line, which is
// fetched once; nobody waits for the last round.
TEST(MemorySpaces, ATextureThatHitsTakesItsOwnLatency) {
  OpKernel K = chain(OpClass::Texture, MemorySpace::Texture, 4);
  GpuModel G = plainGpu(), Slower = plainGpu();
  Slower.TextureLatency = Cycles(G.TextureLatency.value() + 100);
  Prediction P = predict(K, G);
  EXPECT_NEAR(P.Accesses[0].L1Hit, 1 - 1.0 / (10 * 16), 1e-6);
  double Longer = (predict(K, Slower).Execution - P.Execution).value();
  EXPECT_NEAR(Longer * G.CoreClock.value(), 9 * 100, 50);
}

} // namespace
