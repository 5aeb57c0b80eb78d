/// \file
/// Profiles of nvprof and ncu: units, means over launches, names of metrics.
#include "gpu-estimate/Session/Settings/Profile.h"
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

std::vector<KernelProfile> read(llvm::StringRef Text) {
  auto Profiles = parseProfile("p.csv", Text);
  EXPECT_TRUE(bool(Profiles)) << llvm::toString(Profiles.takeError());
  return Profiles ? std::move(*Profiles) : std::vector<KernelProfile>();
}

/// One kernel with one metric of ncu.
std::optional<double> ncuMetric(std::string Ncu, std::string Unit,
                                std::string Value, llvm::StringRef Name) {
  auto Profiles = read("\"Kernel Name\",\"" + Ncu + "\"\n\"\",\"" + Unit +
                       "\"\n\"k(int)\",\"" + Value + "\"\n");
  return Profiles.empty() ? std::nullopt : Profiles.front().metric(Name);
}

TEST(Profile, UnitsOfNcu) {
  for (auto [Unit, Value] : {std::pair{"second", "0.0025"},
                             {"msecond", "2.5"},
                             {"ms", "2.5"},
                             {"usecond", "2,500"},
                             {"us", "2500.0"},
                             {"nsecond", "2500000"}})
    EXPECT_NEAR(*ncuMetric("gpu__time_duration.sum", Unit, Value, ProfiledTime),
                2.5e-3, 1e-15)
        << Unit;
  for (auto [Unit, Value] : {std::pair{"cycle/nsecond", "1.38"},
                             {"cycle/usecond", "1,380"},
                             {"Ghz", "1.38"},
                             {"Mhz", "1380"},
                             {"hz", "1380000000"}})
    EXPECT_NEAR(*ncuMetric("smsp__cycles_elapsed.avg.per_second", Unit, Value,
                           ProfiledCoreClock),
                1.38e9, 1)
        << Unit;
  EXPECT_EQ(ncuMetric("lts__t_sectors_op_read.sum", "Ksector", "1.5",
                      "l2_read_transactions"),
            1500);
  // Bytes, where the profile has no sectors.
  EXPECT_EQ(ncuMetric("dram__bytes_read.sum", "Kbyte", "3.2",
                      "dram_read_transactions"),
            100);
}

TEST(Profile, SectorsBeforeBytes) {
  auto Profiles = read("Kernel Name,dram__bytes_read.sum,dram__sectors_read.sum"
                       "\n,byte,sector\nk,3200,101\n");
  ASSERT_EQ(Profiles.size(), 1u);
  EXPECT_EQ(Profiles[0].metric("dram_read_transactions"), 101);
}

TEST(Profile, MeansOverLaunches) {
  auto Profiles = read("Device,Kernel,Invocations,Metric Name,Avg\n"
                       "\"Tesla P100 (0)\",\"void k<int>(int*)\",3,"
                       "inst_executed,100\n"
                       "\"Tesla P100 (0)\",\"void k<int>(int*)\",1,"
                       "inst_executed,200\n"
                       "==1== Profiling result:\n"
                       "Type,Time(%),Time,Calls,Avg,Name\n"
                       ",%,ms,,us,\n"
                       "GPU activities,100,0.1,4,25,\"void k<int>(int*)\"\n");
  const KernelProfile *K = findProfile(Profiles, "_Z1kIiEvPT_", "k<int>");
  ASSERT_TRUE(K);
  EXPECT_EQ(K->Device, "Tesla P100");
  EXPECT_EQ(K->metric("inst_executed"), 125);
  EXPECT_DOUBLE_EQ(profiledTime(*K)->value(), 25e-6);
  EXPECT_EQ(findProfile(Profiles, "_Z1gv", "g"), nullptr);
}

TEST(Profile, OperationsOfTheirParts) {
  KernelProfile P;
  P.Metrics = {{"flop_count_sp_add", 1}, {"flop_count_sp_mul", 2}};
  EXPECT_FALSE(P.metric("flop_count_sp").has_value());
  P.Metrics.push_back({"flop_count_sp_fma", 4});
  EXPECT_EQ(P.metric("flop_count_sp"), 11);
  P.Metrics.push_back({"flop_count_sp", 12});
  EXPECT_EQ(P.metric("flop_count_sp"), 12);
}

TEST(Profile, CountersOfClusters) {
  KernelProfile P;
  P.Metrics = {{"inst_executed", 1},
               {"flop_count_sp", 2},
               {"flop_count_dp", 3},
               {"shared_load_transactions", 4},
               {"shared_store_transactions", 5},
               {"l2_read_transactions", 6},
               {"l2_write_transactions", 7},
               {"dram_read_transactions", 8}};
  auto Lacking = clusterCounters(P);
  ASSERT_FALSE(bool(Lacking));
  EXPECT_EQ(llvm::toString(Lacking.takeError()),
            "lacks dram_write_transactions (ncu: dram__sectors_write.sum)");
  P.Metrics.push_back({"dram_write_transactions", 9});
  auto Counters = clusterCounters(P);
  ASSERT_TRUE(bool(Counters));
  std::vector<std::pair<std::string, double>> Expected = {
      {"warp_instructions", 1}, {"flop_fp32", 2},  {"flop_fp64", 3},
      {"shared_wavefronts", 9}, {"l2_bytes", 416}, {"dram_read_bytes", 256},
      {"dram_write_bytes", 288}};
  EXPECT_EQ(*Counters, Expected);
  auto Roofline = rooflineCounters(P);
  EXPECT_EQ(llvm::toString(Roofline.takeError()),
            "lacks flop_count_sp_fma (ncu: "
            "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum)");
}

TEST(Profile, SaysWhereATableIsWrong) {
  auto problemOf = [](llvm::StringRef Text) {
    auto Profiles = parseProfile("p.csv", Text);
    return Profiles ? "" : llvm::toString(Profiles.takeError());
  };
  EXPECT_EQ(problemOf("hello\n"),
            "p.csv: not a CSV table of nvprof --csv or ncu --csv");
  EXPECT_EQ(problemOf("a,Kernel\n1,2\n").substr(0, 24),
            "p.csv:1:1: expected the ");
  EXPECT_EQ(problemOf("Name,Calls,Avg\n,,us\nk,1\n"),
            "p.csv:3:1: expected 3 cells, got 2");
  EXPECT_EQ(problemOf("Name,Calls,Avg\n,,us\nk,1,-3\n"),
            "p.csv:3:5: expected a number, got '-3'");
}

} // namespace
