/// \file
/// Traces of executed kernels have the counts of warps in lock-step. The
/// numbers are those of an interpreter that ran warps so.
#include "helpers/ExecuteTesting.h"
#include <numeric>

using namespace gpuestimate;

namespace {

struct Counts {
  double Runs, Lanes, Entries; ///< sums over the blocks and loops
  double Divergent;            ///< branches
  double Requests, Sectors;

  bool operator==(const Counts &) const = default;
};

std::ostream &operator<<(std::ostream &OS, const Counts &C) {
  return OS << C.Runs << ", " << C.Lanes << ", " << C.Entries << ", "
            << C.Divergent << ", " << C.Requests << ", " << C.Sectors;
}

/// Runs k(int *a, int *b, int n).
Counts trace(const std::string &Body, std::vector<int> A, int N,
             std::array<uint64_t, 3> Block) {
  ExecutedKernel K("__global__ void k(const int *a, int *b, int n) {"
                   " int t = blockIdx.x * blockDim.x + threadIdx.x; " +
                   Body + " }");
  K.Request.Trace = true;
  std::vector<int> B(1024);
  K.pass(A).pass(B).pass(N);
  ExecutionResult R = K.runAll({2, 1, 1}, Block);
  if (!R.Trace)
    return {};
  auto Sum = [](const std::vector<double> &V) {
    return std::accumulate(V.begin(), V.end(), 0.0);
  };
  Counts C{
      Sum(R.Trace->Runs), Sum(R.Trace->Lanes), Sum(R.Trace->Entries), 0, 0, 0};
  for (const RunTrace::Branch &Branch : R.Trace->Branches)
    C.Divergent += Branch.Divergent;
  for (const RunTrace::Access &Access : R.Trace->Accesses) {
    C.Requests += Access.Requests;
    C.Sectors += Access.Sectors;
  }
  return C;
}

std::vector<int> mixed(size_t Count, int Limit) {
  std::vector<int> V(Count);
  unsigned X = 7;
  for (int &E : V)
    E = int((X = X * 1664525 + 1013904223) >> 16) % Limit;
  return V;
}

TEST(TraceLockStep, LoopsBranchesAndAccesses) {
  std::array<uint64_t, 3> Block = {80, 1, 1};
  EXPECT_EQ(trace("if (t < n) b[t] = a[t * 3];", mixed(600, 9), 100, Block),
            (Counts{16, 420, 0, 1, 8, 51}));
  EXPECT_EQ(trace("int s = 0;"
                  "for (int i = 0; i < a[t]; ++i) s += a[i * 5 + s % 7];"
                  "b[t] = s;",
                  mixed(600, 20), 0, Block),
            (Counts{136, 2202, 6, 82, 124, 152}));
  EXPECT_EQ(
      trace("int s = 0; for (int i = 0; i < n; ++i)"
            "  for (int j = 0; j < a[t + i]; ++j)"
            "    if (a[j] > a[t]) s += j * s + 1; else if (a[j] == 3) s ^= i;"
            "b[t] = s;",
            mixed(600, 9), 5, Block),
      (Counts{957, 12879, 36, 330, 296, 474}));
  EXPECT_EQ(trace("for (int i = t; i < n; i += 160) atomicAdd(&b[a[i]], i);",
                  mixed(600, 50), 500, Block),
            (Counts{43, 1140, 6, 1, 38, 187}));
  EXPECT_EQ(trace("int x = a[t], s = 0; switch (x % 5) {"
                  "case 0: s = a[x]; break; case 1: s = x * 7; break;"
                  "case 3: s = a[x + 1] + 1; } b[t] = s;",
                  mixed(600, 300), 0, Block),
            (Counts{29, 410, 0, 6, 24, 96}));
}

TEST(TraceLockStep, BarriersAndSharedMemory) {
  EXPECT_EQ(trace("__shared__ int s[96]; int l = threadIdx.x; s[l] = a[t];"
                  "__syncthreads();"
                  "for (int d = 64; d; d /= 2) {"
                  "  if (l < d && l + d < 96) s[l] += s[l + d];"
                  "  __syncthreads(); }"
                  "b[t] = s[0] + s[l * 7 % 96];",
                  mixed(600, 9), 0, {96, 1, 1}),
            (Counts{62, 1726, 0, 10, 72, 234}));
}

} // namespace
