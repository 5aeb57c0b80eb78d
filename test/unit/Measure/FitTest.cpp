/// \file
/// Rules of the fit on hand-made measurements: what they give, and that what
/// makes no sense becomes a doubt instead of a value. The whole model from
/// synthetic samples is test/lit/Measure/raw.test.
#include "gpu-estimate/Measure/Write.h"
#include "gpu-estimate/Model/Machine/Library.h"

#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

class MeasureFit : public testing::Test {
protected:
  void SetUp() override {
    auto Loaded = loadGpuModel(GPU_ESTIMATE_SOURCE_DIR
                               "/hwmodels/nvidia-a100-40gb-pcie.yaml");
    ASSERT_TRUE(bool(Loaded)) << llvm::toString(Loaded.takeError());
    Base = std::move(*Loaded);
  }
  Measurement &add(const char *Group, const char *Name, double Value) {
    Measurement &M = All.emplace_back();
    M.Group = Group;
    M.Name = Name;
    M.Value = Value;
    M.Samples = 9;
    return M;
  }
  /// "" where the key has no value.
  std::string fitted(llvm::StringRef Key) {
    for (const FittedValue &V : fitMeasurements(All, Base).Values)
      if (V.Key == Key)
        return V.Text;
    return "";
  }
  bool doubts(llvm::StringRef Key) {
    for (const std::string &Doubt : fitMeasurements(All, Base).Doubts)
      if (llvm::StringRef(Doubt).starts_with(Key))
        return true;
    return false;
  }

  GpuModel Base;
  std::vector<Measurement> All;
};

TEST_F(MeasureFit, NothingMeasuredIsAllInherited) {
  Base.Validation.emplace_back();
  auto Model = measuredModel({}, fitMeasurements({}, Base), Base);
  ASSERT_TRUE(bool(Model)) << llvm::toString(Model.takeError());
  EXPECT_EQ(Model->Sources.size(), Base.Sources.size());
  EXPECT_TRUE(Model->Validation.empty());
  for (const auto &Entry : Model->Sources) {
    EXPECT_EQ(Entry.second.Kind, "inherited") << Entry.first().str();
    EXPECT_NE(Entry.second.Note.find(Base.Id), std::string::npos);
  }
}

TEST_F(MeasureFit, AFlatChaseIsADoubt) {
  for (double Bytes = 1024; Bytes < 1e6; Bytes *= 2) {
    add("memory_latency", "through_l1", 200).Numbers["bytes"] = Bytes;
    add("memory_latency", "through_l2", 200).Numbers["bytes"] = Bytes;
  }
  EXPECT_EQ(fitted("l1.latency"), "");
  EXPECT_TRUE(doubts("l1.latency"));
  EXPECT_EQ(fitted("dram.latency"), "");
  EXPECT_TRUE(doubts("l2.latency"));
}

TEST_F(MeasureFit, AnImpossibleValueIsADoubt) {
  add("memory_latency", "shared", 1e9);
  EXPECT_EQ(fitted("shared.latency"), "");
  EXPECT_TRUE(doubts("shared.latency"));
}

TEST_F(MeasureFit, ChainsOfPairsAreSplit) {
  for (const char *Group : {"op_latency", "op_throughput"}) {
    bool Latency = Group == llvm::StringRef("op_latency");
    add(Group, Group, Latency ? 11 : 32).Words["operation"] = "compare_select";
    add(Group, Group, Latency ? 5 : 64).Words["operation"] = "select";
  }
  EXPECT_EQ(fitted("operations.select.latency"), "5 cycles");
  EXPECT_EQ(fitted("operations.compare.latency"), "6 cycles");
  EXPECT_EQ(fitted("operations.compare.throughput"), "64 /cycle");
}

TEST_F(MeasureFit, AtomicRatesAreByTheClockUnderLoad) {
  add("clock", "clock", 2e9).Words["load"] = "fp32";
  add("atomics", "global_spread", 4e11);
  EXPECT_EQ(fitted("core_clock"), "2000 MHz");
  EXPECT_EQ(fitted("atomics.rate"), "30.47 /cycle"); // 39 sectors in 256 words
}

TEST_F(MeasureFit, MaskedWritesReadNothing) {
  add("device", "l2_size", 1e6);
  add("bandwidth", "copy", 1e12).Numbers["bytes"] = 1e7;
  add("fetch", "sector_stores", 3e10).Numbers["bytes"] = 32;
  add("fetch", "sector_stores", 2.9e10).Numbers["bytes"] = 4;
  EXPECT_EQ(fitted("dram.partial_write_read"), "0 B");
  All.back().Value = 1 / (1 / 3e10 + 32 / 1e12); // a sector read with each
  EXPECT_EQ(fitted("dram.partial_write_read"), "32 B");
}

TEST_F(MeasureFit, ASampleThatAGroupLacksIsADoubt) {
  EXPECT_FALSE(doubts("atomics.latency")); // the whole group is missing
  add("atomics", "global_spread", 4e11);
  EXPECT_TRUE(doubts("atomics.latency"));
  add("atomics", "global_latency", 700);
  EXPECT_FALSE(doubts("atomics.latency"));
}

TEST_F(MeasureFit, TheSameProductKeepsItsName) {
  EXPECT_TRUE(isProduct(Base, "NVIDIA A100-PCIE-40GB"));
  EXPECT_TRUE(isProduct(Base, "A100-PCIE-40GB"));
  EXPECT_FALSE(isProduct(Base, "NVIDIA A100-SXM4-40GB"));
  EXPECT_FALSE(isProduct(Base, "NVIDIA"));
  EXPECT_FALSE(isProduct(Base, ""));
  MeasuredIdentity Id;
  Id.Name = "NVIDIA A100-PCIE-40GB";
  Id.ComputeCapability = "8.0";
  auto Model = measuredModel(Id, {}, Base);
  ASSERT_TRUE(bool(Model)) << llvm::toString(Model.takeError());
  EXPECT_EQ(Model->Id, Base.Id);
  EXPECT_EQ(Model->Aliases, Base.Aliases);
  Id.Name = "NVIDIA A100-SXM4-40GB";
  auto New = measuredModel(Id, {}, Base);
  ASSERT_TRUE(bool(New)) << llvm::toString(New.takeError());
  EXPECT_EQ(New->Id, "nvidia-a100-sxm4-40gb");
  EXPECT_TRUE(New->Aliases.empty());
}

TEST(MeasureWrite, IdsAreLowerCaseWords) {
  EXPECT_EQ(modelIdOf("NVIDIA H100 80GB HBM3"), "nvidia-h100-80gb-hbm3");
  EXPECT_EQ(modelIdOf("Tesla T4"), "nvidia-tesla-t4");
  EXPECT_EQ(modelIdOf("AMD Instinct (MI210)"), "amd-instinct-mi210");
}

TEST_F(MeasureFit, ColdLaunchesAreDifferencesFromWarmOnes) {
  for (double Count : {64, 256, 1024})
    add("cold", "code", 30 + Count * 9).Numbers["instructions"] = Count;
  add("cold", "translation", 600).Numbers["bytes"] = 2 << 20;
  add("cold", "empty_warm", 5e-6);
  add("cold", "empty_cold", 5.5e-6);
  EXPECT_EQ(fitted("launch.cold"), ""); // needs launch.latency
  add("launch", "graph_node", 1e-6);
  EXPECT_EQ(fitted("code.line_fetch"), "72 cycles");
  EXPECT_EQ(fitted("code.line_instructions"), "8");
  EXPECT_EQ(fitted("tlb.walk"), "600 cycles");
  EXPECT_EQ(fitted("tlb.page"), "2097152 B");
  EXPECT_EQ(fitted("launch.cold"), "1.5 us");
}

TEST_F(MeasureFit, RooflineIsTheHighestRateOfEachType) {
  add("device", "sm_count", 100);
  Measurement &Clock = add("clock", "clock", 1e9);
  Clock.Words["load"] = "fp32";
  auto mix = [&](const char *Type, double Intensity, double Rate) {
    Measurement &M = add("intensity", "mix", Rate);
    M.Words["type"] = Type;
    M.Numbers["intensity"] = Intensity;
  };
  mix("fp32", 0.25, 0.25 * 1.2e12);
  mix("fp32", 4, 4 * 1.1e12);
  mix("fp32", 64, 12.8e12); // 128 a cycle of each multiprocessor
  mix("int", 64, 3.2e12);
  EXPECT_EQ(fitted("roofline.fp32"), "128 /cycle");
  EXPECT_EQ(fitted("roofline.int"), "32 /cycle");
  EXPECT_EQ(fitted("roofline.fp64"), "");
  EXPECT_EQ(fitted("roofline.memory"), "1200 GB/s");
}

} // namespace
