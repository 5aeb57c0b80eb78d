/// \file
/// Loop nests with their numbers: extents, strides, and the bytes that pass
/// memories of a given capacity, against simulated ones.
#include "gpu-estimate/Model/Machine/Machines.h"
#include "gpu-estimate/Support/Installation.h"
#include "gpu-estimate/Targets/Nest/Reuse.h"
#include "helpers/TestKernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <list>
#include <unordered_map>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// c[i][j] = sum over k of a[i][k] * b[k][j]; i is y, j is x.
struct Product : TestKernel {
  explicit Product(double N) {
    Expr Inside = context().mul({context().less(id('x'), number(N)),
                                 context().less(id('y'), number(N))});
    int K = loop(-1, number(N), Inside);
    unsigned B = block(K);
    access(B, "a", (id('y') * N + counter(K)) * 4);
    access(B, "b", (counter(K) * N + id('x')) * 4);
    unsigned S = block(-1, Inside);
    access(S, "c", (id('y') * N + id('x')) * 4, AccessKind::Store);
  }
  LoopNestNumbers numbers(double N) const {
    Launch L;
    uint64_t Blocks = uint64_t(N + 15) / 16;
    L.Grid = {Blocks, Blocks, 1};
    L.Block = {16, 16, 1};
    return numberNest(Model, L, {});
  }
};

TEST(NestNumbers, ExtentsAreThoseOfTheGuard) {
  LoopNestNumbers Nest = Product(100).numbers(100); // 112 x 112 threads
  ASSERT_EQ(Nest.Loops.size(), 3u);
  EXPECT_EQ(Nest.Loops[0].Extent, 100);
  EXPECT_EQ(Nest.Loops[1].Extent, 100);
  EXPECT_EQ(Nest.Loops[2].Extent, 100);
  EXPECT_EQ(Nest.Loops[2].Entries, 10000);
  EXPECT_FALSE(Nest.Loops[1].Innermost);
  EXPECT_EQ(Nest.iterations(), 10000);
}

TEST(NestNumbers, StridesOfEachLoop) {
  LoopNestNumbers Nest = Product(100).numbers(100);
  using Strides = std::vector<std::pair<unsigned, double>>;
  EXPECT_EQ(Nest.Accesses[0].Strides, (Strides{{0, 400}, {1, 0}, {2, 4}}));
  EXPECT_EQ(Nest.Accesses[1].Strides, (Strides{{0, 0}, {1, 4}, {2, 400}}));
  EXPECT_EQ(Nest.Accesses[2].Strides, (Strides{{0, 400}, {1, 4}}));
  EXPECT_EQ(Nest.Accesses[0].Executions, 1e6);
  EXPECT_EQ(Nest.Accesses[2].Executions, 1e4);
}

// Whichever loop became x: the machine runs them as they are written.
TEST(NestNumbers, LoopsAreInTheOrderOfTheSource) {
  Launch L;
  L.Grid = {7, 7, 1};
  L.Block = {16, 16, 1};
  SourceLocation Outer{"f.c", 3, 3}, Inner{"f.c", 4, 5};
  using Strides = std::vector<std::pair<unsigned, double>>;
  for (bool OuterIsX : {false, true}) {
    Product P(100);
    P.Model.Nest = {"host", {{"j", Inner}, {"i", Outer}}};
    if (OuterIsX)
      std::swap(P.Model.Nest->Loops[0], P.Model.Nest->Loops[1]);
    LoopNestNumbers Nest = numberNest(P.Model, L, {});
    EXPECT_EQ(Nest.Loops[0].Location.Line, 3u);
    EXPECT_EQ(Nest.Loops[1].Location.Line, 4u);
    // Along the outer loop: a row, or an element where it is x.
    EXPECT_EQ(Nest.Accesses[2].Strides, OuterIsX ? (Strides{{0, 4}, {1, 400}})
                                                 : (Strides{{0, 400}, {1, 4}}));
  }
}

TEST(NestNumbers, ATriangleHasHalfTheIterations) {
  TestKernel K; // for i < 64: for j = i..64
  Expr Inside =
      K.context().mul({K.context().less(K.id('y'), K.number(64)),
                       K.context().less(K.id('x') + K.id('y'), K.number(64))});
  K.access(K.block(-1, Inside), "a", K.id('x') * 4);
  Launch L;
  L.Grid = {4, 4, 1};
  L.Block = {16, 16, 1};
  EXPECT_EQ(numberNest(K.Model, L, {}).iterations(), 64 * 32);
}

/// Fully associative, least recently used first.
class Cache {
public:
  Cache(size_t Lines, double Line) : Lines(Lines), Line(Line) {}
  void touch(const std::string &Base, double Address) {
    std::string Key = Base + std::to_string(long(Address / Line));
    auto It = Where.find(Key);
    if (It != Where.end())
      Order.erase(It->second);
    else
      ++Misses;
    Order.push_front(Key);
    Where[Key] = Order.begin();
    if (Order.size() > Lines) {
      Where.erase(Order.back());
      Order.pop_back();
    }
  }
  size_t Misses = 0;

private:
  size_t Lines;
  double Line;
  std::list<std::string> Order;
  std::unordered_map<std::string, std::list<std::string>::iterator> Where;
};

TEST(Reuse, OfAProductIsThatOfACache) {
  constexpr int N = 64;
  constexpr double Line = 64;
  LoopNestNumbers Nest = Product(N).numbers(N);
  // An iteration of j touches 256 bytes of a and 64 lines of b, one of i 16 KiB
  // of b: all reuse, that along j and i, along k and j, and only along k.
  for (double Capacity : {64.0 * 1024, 8.0 * 1024, 2.0 * 1024}) {
    Cache C(size_t(Capacity / Line), Line);
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J) {
        for (int K = 0; K < N; ++K) {
          C.touch("a", (I * N + K) * 4.0);
          C.touch("b", (K * N + J) * 4.0);
        }
        C.touch("c", (I * N + J) * 4.0);
      }
    PassedBytes Passed = bytesBeyond(Nest, Bytes(Capacity), Line, true);
    double Simulated = double(C.Misses) * Line;
    EXPECT_NEAR(Passed.Read.value(), Simulated, 0.08 * Simulated) << Capacity;
  }
}

TEST(Reuse, WritesAllocateOnlyWhereAsked) {
  LoopNestNumbers Nest = Product(64).numbers(64);
  double Matrix = 64 * 64 * 4;
  PassedBytes With = bytesBeyond(Nest, Bytes(1 << 20), 64, true);
  PassedBytes Without = bytesBeyond(Nest, Bytes(1 << 20), 64, false);
  EXPECT_EQ(With.Read.value(), 3 * Matrix);
  EXPECT_EQ(Without.Read.value(), 2 * Matrix);
  EXPECT_EQ(Without.Written.value(), Matrix);
}

// p[i] = p[i + N] + p[i + 2 N]: three parts are read or owned, one is written.
TEST(Reuse, OnlyWhatIsStoredIsWritten) {
  constexpr double N = 4096;
  TestKernel K;
  unsigned B = K.block(-1, K.context().less(K.id(), K.number(N)));
  K.access(B, "p", (K.id() + K.number(N)) * 4);
  K.access(B, "p", (K.id() + K.number(2 * N)) * 4);
  K.access(B, "p", K.id() * 4, AccessKind::Store);
  Launch L;
  L.Grid = {uint64_t(N) / 256, 1, 1};
  L.Block = {256, 1, 1};
  PassedBytes Passed = bytesBeyond(numberNest(K.Model, L, {}), Bytes(1024), 64,
                                   /*WriteAllocate=*/true);
  EXPECT_NEAR(Passed.Read.value(), 3 * 4 * N, 64);
  EXPECT_NEAR(Passed.Written.value(), 4 * N, 64);
}

TEST(Reuse, CopiesTakeEachArrayOnce) {
  TestKernel K; // b[i] = a[i - 1] + a[i + 1]; b[i] += ..: in and out
  unsigned B = K.block(-1);
  K.access(B, "a", K.id('x') * 4);
  K.access(B, "a", K.id('x') * 4 + 8);
  K.access(B, "b", K.id('x') * 4, AccessKind::Load);
  K.access(B, "b", K.id('x') * 4, AccessKind::Store);
  Launch L;
  L.Grid = {4, 1, 1};
  L.Block = {256, 1, 1};
  PassedBytes Copied = distinctBytes(numberNest(K.Model, L, {}));
  EXPECT_EQ(Copied.Read.value(), 1026 * 4 + 1024 * 4);
  EXPECT_EQ(Copied.Written.value(), 1024 * 4);
}

/// Ids of the shipped models: the names of the files of a data folder.
std::vector<std::string> idsIn(llvm::StringRef Name) {
  std::vector<std::string> Ids;
  llvm::Expected<std::string> Folder = findDataFolder(Name);
  EXPECT_TRUE(bool(Folder)) << llvm::toString(Folder.takeError());
  std::error_code Problem;
  for (llvm::sys::fs::directory_iterator It(*Folder, Problem), End;
       !Problem && It != End; It.increment(Problem))
    if (llvm::sys::path::extension(It->path()) == ".yaml")
      Ids.push_back(llvm::sys::path::stem(It->path()).str());
  return Ids;
}

TEST(Machines, EveryShippedFileLoads) {
  std::vector<std::string> Cpus = idsIn("cpumodels"),
                           Fpgas = idsIn("fpgamodels");
  EXPECT_TRUE(llvm::is_contained(Cpus, DefaultCpu.str()));
  EXPECT_TRUE(llvm::is_contained(Fpgas, DefaultFpga.str()));
  for (const std::string &Id : Cpus) {
    auto Cpu = findCpuModel(Id);
    ASSERT_TRUE(bool(Cpu)) << llvm::toString(Cpu.takeError());
    EXPECT_EQ(Cpu->Id, Id);
    EXPECT_EQ(Cpu->UnifiedMemory, Cpu->linkBandwidth().value() == 0);
  }
  for (const std::string &Id : Fpgas) {
    auto Fpga = findFpgaModel(Id);
    ASSERT_TRUE(bool(Fpga)) << llvm::toString(Fpga.takeError());
    EXPECT_EQ(Fpga->Id, Id);
  }
}

} // namespace
