/// \file
/// Ratios of two cards, from their rates by hand.
#include "gpu-estimate/Scaling/CardRatio.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

GpuModel card(unsigned Sms, double Clock, double Dram) {
  GpuModel Gpu;
  Gpu.SmCount = Sms;
  Gpu.CoreClock = Hertz(Clock);
  Gpu.DramReadBandwidth = BytesPerSecond(Dram);
  Gpu.DramLatency = Cycles(500);
  OpCost &Fma = Gpu.Ops[static_cast<unsigned>(OpClass::Fp32Fma)];
  Fma.Throughput = 64;
  Fma.Latency = Cycles(4);
  return Gpu;
}

const CardRatio *find(const std::vector<CardRatio> &All, llvm::StringRef Name) {
  auto Found =
      llvm::find_if(All, [&](const CardRatio &R) { return R.Bound == Name; });
  return Found == All.end() ? nullptr : &*Found;
}

TEST(CardRatio, RatesAndLatenciesByHand) {
  std::vector<CardRatio> All =
      cardRatios(card(80, 1e9, 900e9), card(40, 1.5e9, 300e9));
  const CardRatio *Fp32 = find(All, "fp32"),
                  *Dram = find(All, "dram-bandwidth"),
                  *Latency = find(All, "latency of DRAM");
  ASSERT_TRUE(Fp32 && Dram && Latency);
  EXPECT_DOUBLE_EQ(Fp32->OfA, 64 * 80); // Gfma/s
  EXPECT_DOUBLE_EQ(Fp32->Time, 80 / (40 * 1.5));
  EXPECT_DOUBLE_EQ(Dram->Time, 3);
  EXPECT_DOUBLE_EQ(Latency->OfA, 500); // ns
  EXPECT_DOUBLE_EQ(Latency->Time, 1 / 1.5);
}

TEST(CardRatio, WhatACardLacksIsLeftOut) {
  GpuModel A = card(80, 1e9, 900e9), B = A;
  B.Ops[static_cast<unsigned>(OpClass::TensorFp16)].Throughput = 512;
  EXPECT_FALSE(find(cardRatios(A, B), "tensor"));
  EXPECT_FALSE(find(cardRatios(A, B), "fp64"));
}

} // namespace
