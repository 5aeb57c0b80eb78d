/// \file
/// Files of launches: the tables of each profiler, traces, printed names, and
/// what is said of a broken file.
#include "gpu-estimate/Session/Settings/LaunchFile.h"

#include "Session/Settings/PrintedName.h"
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

using Sizes = std::array<uint64_t, 3>;

LaunchFile read(llvm::StringRef Text, llvm::StringRef Name = "f.csv") {
  auto File = parseLaunchFile(Name, Text);
  EXPECT_TRUE(bool(File)) << llvm::toString(File.takeError());
  return File ? std::move(*File) : LaunchFile{};
}

std::string problem(llvm::StringRef Text, llvm::StringRef Name = "f.csv") {
  auto File = parseLaunchFile(Name, Text);
  EXPECT_FALSE(bool(File));
  return File ? "" : llvm::toString(File.takeError());
}

TEST(LaunchFile, AUsersTable) {
  LaunchFile F = read("kernel,grid,block,n,time_us,count\n"
                      "\"scale<float, 4>\",4096,256,1048576,6.1,100\n"
                      "add,64x64,16x16,,9.5,1\n");
  ASSERT_EQ(F.Launches.size(), 2u);
  EXPECT_EQ(F.By, TimedBy::Unknown);
  const RecordedLaunch &L = F.Launches[0]; // the longest total
  EXPECT_EQ(L.Kernel, "scale<float, 4>");
  EXPECT_EQ(*L.Sizes.Grid, (Sizes{4096, 1, 1}));
  EXPECT_EQ(*L.Sizes.Block, (Sizes{256, 1, 1}));
  ASSERT_EQ(L.Parameters.size(), 1u);
  EXPECT_EQ(L.Parameters[0].first, "n");
  EXPECT_EQ(L.Parameters[0].second, 1048576);
  EXPECT_NEAR(L.Time->value(), 6.1e-6, 1e-15);
  EXPECT_EQ(L.Count, 100);
  EXPECT_EQ(*F.Launches[1].Sizes.Grid, (Sizes{64, 64, 1}));
  EXPECT_TRUE(F.Launches[1].Parameters.empty());
}

TEST(LaunchFile, NsysTraceSkipsCopiesAndMergesAlikeLaunches) {
  LaunchFile F = read(
      "Processing [x.sqlite] with [cuda_gpu_trace.py]...\n\n"
      "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,"
      "StcSMem (MB),DymSMem (MB),Bytes (MB),Device,Strm,Name\n"
      "1,2000,1,,,,,,,,,,4.2,NVIDIA H100 80GB HBM3 (0),7,[CUDA memcpy]\n"
      "3,6200,2,39,2,1,256,1,1,16,0.000,0.049,,NVIDIA H100 80GB HBM3 (0),7,"
      "\"void f<float>(T1 *)\"\n"
      "9,6400,2,39,2,1,256,1,1,16,0.000,0.049,,NVIDIA H100 80GB HBM3 (0),7,"
      "\"void f<float>(T1 *)\"\n");
  ASSERT_EQ(F.Launches.size(), 1u);
  EXPECT_EQ(F.By, TimedBy::Timeline);
  const RecordedLaunch &L = F.Launches[0];
  EXPECT_EQ(L.Count, 2);
  EXPECT_NEAR(L.Time->value(), 6.3e-6, 1e-15);
  EXPECT_EQ(*L.Sizes.Grid, (Sizes{39, 2, 1}));
  EXPECT_EQ(*L.Sizes.DynamicSharedBytes, 49000u);
  EXPECT_EQ(F.device(), "NVIDIA H100 80GB HBM3");
}

TEST(LaunchFile, NsysSumsOfTheHostAreNoKernels) {
  LaunchFile F = read("Time (%),Total Time (ns),Num Calls,Avg (ns),Name\n"
                      "90.0,1000,10,100.0,cudaLaunchKernel\n\n"
                      "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),"
                      "Min (ns),Max (ns),StdDev (ns),Name\n"
                      "100.0,62000,10,6200.0,6200,6100,6300,1,f(int)\n");
  ASSERT_EQ(F.Launches.size(), 1u);
  EXPECT_EQ(F.Launches[0].Kernel, "f(int)");
  EXPECT_EQ(F.Launches[0].Count, 10);
  EXPECT_NEAR(F.Launches[0].Time->value(), 6.2e-6, 1e-15);
  EXPECT_FALSE(F.Launches[0].Sizes.any());
}

TEST(LaunchFile, NsysSumsOfKernelExecution) {
  LaunchFile F =
      read("Count,QCount,AAvg (ns),TAvg (ns),KAvg (ns),API Name,Kernel Name\n"
           "4,4,3000.0,9000.0,6200.0,cudaLaunchKernel,f<int>\n");
  ASSERT_EQ(F.Launches.size(), 1u);
  EXPECT_EQ(F.Launches[0].Count, 4);
  EXPECT_NEAR(F.Launches[0].Time->value(), 6.2e-6, 1e-15);
}

TEST(LaunchFile, NcuWithARowForEachMetric) {
  LaunchFile F = read(
      "==PROF== Connected to process 1\n"
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Device\","
      "\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"f(int)\",\"(256, 1, 1)\",\"(4096, 2, 1)\",\"0\",\"Duration\","
      "\"us\",\"7.30\"\n"
      "\"0\",\"f(int)\",\"(256, 1, 1)\",\"(4096, 2, 1)\",\"0\","
      "\"Dynamic Shared Memory Per Block\",\"Kbyte/block\",\"16.38\"\n"
      "\"1\",\"g(int)\",\"(32, 1, 1)\",\"(1, 1, 1)\",\"0\",\"Duration\","
      "\"ns\",\"1,234\"\n");
  ASSERT_EQ(F.Launches.size(), 2u);
  EXPECT_EQ(F.By, TimedBy::Counters);
  EXPECT_EQ(*F.Launches[0].Sizes.Grid, (Sizes{4096, 2, 1}));
  EXPECT_EQ(*F.Launches[0].Sizes.DynamicSharedBytes, 16380u);
  EXPECT_NEAR(F.Launches[0].Time->value(), 7.3e-6, 1e-15);
  EXPECT_NEAR(F.Launches[1].Time->value(), 1.234e-6, 1e-15);
  EXPECT_EQ(F.device(), ""); // its number alone
}

TEST(LaunchFile, NcuWithAColumnForEachMetric) {
  LaunchFile F =
      read("\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\","
           "\"gpu__time_duration.sum\","
           "\"launch__shared_mem_per_block_dynamic\"\n"
           "\"\",\"\",\"\",\"\",\"us\",\"Kbyte/block\"\n"
           "\"0\",\"f(int)\",\"(64, 2, 1)\",\"(8, 4, 2)\",\"7.3\",\"1.024\"\n");
  ASSERT_EQ(F.Launches.size(), 1u);
  EXPECT_EQ(F.By, TimedBy::Counters);
  EXPECT_EQ(*F.Launches[0].Sizes.Grid, (Sizes{8, 4, 2}));
  EXPECT_EQ(*F.Launches[0].Sizes.Block, (Sizes{64, 2, 1}));
  EXPECT_EQ(*F.Launches[0].Sizes.DynamicSharedBytes, 1024u);
  EXPECT_NEAR(F.Launches[0].Time->value(), 7.3e-6, 1e-15);
}

TEST(LaunchFile, NvprofHasUnitsBelowItsHeader) {
  LaunchFile F =
      read("==1== Profiling result:\n"
           "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\","
           "\"Block X\",\"Block Y\",\"Block Z\",\"Dynamic SMem\",\"Device\","
           "\"Name\"\n"
           "ms,us,,,,,,,B,,\n"
           "1.0,12.5,8,1,1,128,1,1,512,\"Tesla V100 (0)\",\"f(int) [1]\"\n");
  ASSERT_EQ(F.Launches.size(), 1u);
  EXPECT_NEAR(F.Launches[0].Time->value(), 12.5e-6, 1e-15);
  EXPECT_EQ(*F.Launches[0].Sizes.DynamicSharedBytes, 512u);
  EXPECT_EQ(F.device(), "Tesla V100");
}

TEST(LaunchFile, RocprofCountsThreads) {
  LaunchFile F = read("\"Index\",\"KernelName\",\"grd\",\"wgr\",\"lds\","
                      "\"BeginNs\",\"EndNs\"\n"
                      "0,\"f(int)\",1048576,256,0,1000,11000\n");
  ASSERT_EQ(F.Launches.size(), 1u);
  EXPECT_EQ(*F.Launches[0].Sizes.Grid, (Sizes{4096, 1, 1}));
  EXPECT_NEAR(F.Launches[0].Time->value(), 10e-6, 1e-15);
  F = read("\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\","
           "\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\","
           "\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n"
           "\"f(int)\",1000,11000,16,16,1,1024,512,1\n");
  ASSERT_EQ(F.Launches.size(), 1u);
  EXPECT_EQ(*F.Launches[0].Sizes.Grid, (Sizes{64, 32, 1}));
}

TEST(LaunchFile, ATraceOfPyTorch) {
  LaunchFile F = read(
      R"json({"deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-80GB"}],
          "traceEvents": [
           {"ph": "X", "cat": "cpu_op", "name": "aten::add", "dur": 5},
           {"ph": "X", "cat": "kernel", "name": "void f<4>(int)", "dur": 12.5,
            "args": {"device": 0, "grid": [64, 2, 1], "block": [128, 1, 1],
                     "shared memory": 2048}}]})json",
      "trace.json");
  ASSERT_EQ(F.Launches.size(), 1u);
  EXPECT_EQ(*F.Launches[0].Sizes.Grid, (Sizes{64, 2, 1}));
  EXPECT_EQ(*F.Launches[0].SharedBytes, 2048u);
  EXPECT_NEAR(F.Launches[0].Time->value(), 12.5e-6, 1e-15);
  EXPECT_EQ(F.device(), "NVIDIA A100-SXM4-80GB");
}

TEST(LaunchFile, Yaml) {
  LaunchFile F = read("launches:\n"
                      "  - kernel: f\n"
                      "    grid: [64, 2]\n"
                      "    block: 16x16\n"
                      "    dynamic_smem: 48KiB\n"
                      "    params: {n: 1024, m: 1<<20}\n"
                      "    time: 12.5us\n"
                      "    count: 3\n"
                      "    gpu: nvidia-h200\n",
                      "f.yaml");
  ASSERT_EQ(F.Launches.size(), 1u);
  const RecordedLaunch &L = F.Launches[0];
  EXPECT_EQ(*L.Sizes.Grid, (Sizes{64, 2, 1}));
  EXPECT_EQ(*L.Sizes.Block, (Sizes{16, 16, 1}));
  EXPECT_EQ(*L.Sizes.DynamicSharedBytes, 49152u);
  EXPECT_EQ(L.Parameters[1].second, 1048576);
  EXPECT_EQ(L.Device, "nvidia-h200");
}

TEST(LaunchFile, AProblemNamesItsPlace) {
  EXPECT_EQ(problem("kernel,grid,block\nf,64,sixteen\n"),
            "f.csv:2:6: expected one to three sizes above 0, got 'sixteen'");
  EXPECT_EQ(problem("kernel,grid,block\nf,64\n"),
            "f.csv:2:1: expected 3 cells as in the header, got 2");
  EXPECT_EQ(problem("kernel,grid,n\nf,64,many\n"),
            "f.csv:2:6: expected a value of 'n', got 'many'");
  EXPECT_EQ(problem("kernel,time_us\nf,-3\n"),
            "f.csv:2:3: expected a number that is not negative, got '-3'");
  EXPECT_EQ(problem("Duration,GrdX,BlkX,Name\n5,1,32,f\n"),
            "f.csv:2:1: expected the unit of 'Duration' in the header, such as "
            "'Duration (ns)', got '5'");
  EXPECT_NE(problem("a,b\n1,2\n").find("no table of launches"),
            std::string::npos);
  EXPECT_NE(problem("{\"a\": 1}").find("traceEvents"), std::string::npos);
  EXPECT_NE(problem("launches: 3\n", "f.yaml").find("with a list"),
            std::string::npos);
  EXPECT_NE(problem("launches:\n - grid: 3\n", "f.yaml").find("2:"),
            std::string::npos);
  EXPECT_EQ(problem("kernel,grid\n"), "f.csv: has no launch of a kernel");
}

TEST(PrintedName, ProfilersPrintInSeveralWays) {
  const char *Is = "void ns::f<float, 4, true>(float*, int)";
  for (const char *Said :
       {"void ns::f<float, 4, true>(float*, int)", "ns::f<float,4,true>",
        "void ns::f<float, (int)4, (bool)1>(T1 *, int)", "f<float, 4u, true>",
        "ns::f", "f", "_Z1f"})
    EXPECT_TRUE(meansKernel(Said, "_Z1f", Is)) << Said;
  for (const char *Said : {"ns::f<float, 4, false>", "g", "other::f",
                           "f<double, 4, true>", "", "float"})
    EXPECT_FALSE(meansKernel(Said, "_Z1f", Is)) << Said;
  EXPECT_TRUE(meansKernel("<unnamed>::k(float *)", "_Z",
                          "(anonymous namespace)::k(float*)"));
}

} // namespace
