/// \file
/// What the simulator is fed with, thread by thread, against the kernels'
/// index arithmetic written down once more in plain C++: checks the extraction
/// of addresses, conditions and trip counts.
#include "Compare.h"
#include "WarpRunner.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>
#include <map>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// Byte offsets that all threads of a launch touch, by object and direction.
class Touched {
public:
  void load(const char *Object, double Index, unsigned Bytes = 4) {
    add(Object, false, Index * Bytes);
  }
  void store(const char *Object, double Index, unsigned Bytes = 4) {
    add(Object, true, Index * Bytes);
  }
  void add(const std::string &Object, bool Written, double Offset) {
    ++All[{Object, Written}][Offset];
  }
  std::map<std::pair<std::string, bool>, std::map<double, unsigned>> All;
};

struct Thread {
  int64_t TidX, TidY, BlockX, BlockY, DimX, DimY, GridX;
  int64_t x() const { return BlockX * DimX + TidX; }
  int64_t y() const { return BlockY * DimY + TidY; }
};

using Source = std::function<void(const Thread &, const Shape &, Touched &)>;

Touched byHand(const Source &Kernel, const Shape &S) {
  Touched Out;
  for (uint64_t By = 0; By < S.L.Grid[1]; ++By)
    for (uint64_t Bx = 0; Bx < S.L.Grid[0]; ++Bx)
      for (uint64_t Ty = 0; Ty < S.L.Block[1]; ++Ty)
        for (uint64_t Tx = 0; Tx < S.L.Block[0]; ++Tx)
          Kernel({int64_t(Tx), int64_t(Ty), int64_t(Bx), int64_t(By),
                  int64_t(S.L.Block[0]), int64_t(S.L.Block[1]),
                  int64_t(S.L.Grid[0])},
                 S, Out);
  return Out;
}

Touched extracted(const KernelModel &K, const Shape &S) {
  Touched Out;
  WarpRunner Run(K, S.L, S.Values, 32,
                 [&](double Element) { return indexAt(Element, S.Range); });
  Run.OnRequest = [&](const Request &R) {
    const MemoryAccess &A = K.Accesses[R.Access];
    if (A.Space != MemorySpace::Global)
      return;
    for (double Lane : R.Lanes)
      if (!std::isnan(Lane))
        Out.add(A.Base, A.Kind != AccessKind::Load, Lane);
  };
  for (uint64_t By = 0; By < S.L.Grid[1]; ++By)
    for (uint64_t Bx = 0; Bx < S.L.Grid[0]; ++Bx)
      for (unsigned Warp = 0; Warp < Run.warpsPerBlock(); ++Warp)
        Run.run({Bx, By, 0}, Warp);
  return Out;
}

int64_t of(const Shape &S, const char *Name) {
  return int64_t(S.Values.lookup(Name));
}

std::map<std::string, Source> sources() {
  std::map<std::string, Source> K;
  K["copy"] = [](const Thread &T, const Shape &S, Touched &Out) {
    if (T.x() < of(S, "n")) {
      Out.load("a", T.x());
      Out.store("b", T.x());
    }
  };
  K["copyFloat4"] = [](const Thread &T, const Shape &S, Touched &Out) {
    if (T.x() < of(S, "n")) {
      Out.load("a", T.x(), 16);
      Out.store("b", T.x(), 16);
    }
  };
  K["strided"] = [](const Thread &T, const Shape &S, Touched &Out) {
    if (T.x() < of(S, "n")) {
      Out.load("a", T.x() * of(S, "stride"));
      Out.store("b", T.x());
    }
  };
  K["gridStride"] = [](const Thread &T, const Shape &S, Touched &Out) {
    for (int64_t I = T.x(); I < of(S, "n"); I += T.GridX * T.DimX) {
      Out.load("a", I);
      Out.store("b", I);
    }
  };
  K["reversed"] = [](const Thread &T, const Shape &S, Touched &Out) {
    if (T.x() < of(S, "n")) {
      Out.load("a", of(S, "n") - 1 - T.x());
      Out.store("b", T.x());
    }
  };
  K["modulo"] = [](const Thread &T, const Shape &S, Touched &Out) {
    if (T.x() < of(S, "n")) {
      Out.load("a", T.x());
      Out.load("table", T.x() % of(S, "m"));
      Out.store("b", T.x());
    }
  };
  K["moduloBlock"] = [](const Thread &T, const Shape &S, Touched &Out) {
    Out.load("a", T.BlockX % of(S, "m") * T.DimX + T.TidX);
    Out.store("b", T.x());
  };
  K["stencil1d"] = [](const Thread &T, const Shape &S, Touched &Out) {
    int64_t I = T.x() + 1;
    if (I < of(S, "n") - 1) {
      for (int D : {-1, 0, 1})
        Out.load("a", I + D);
      Out.store("b", I);
    }
  };
  K["fivePoint"] = [](const Thread &T, const Shape &S, Touched &Out) {
    int64_t X = T.x() + 1, Y = T.y() + 1, N = of(S, "n");
    if (X < N - 1 && Y < N - 1) {
      for (auto [Dx, Dy] : {std::pair(0, 0), {-1, 0}, {1, 0}, {0, -1}, {0, 1}})
        Out.load("a", (Y + Dy) * N + X + Dx);
      Out.store("b", Y * N + X);
    }
  };
  K["clamped"] = [](const Thread &T, const Shape &S, Touched &Out) {
    int64_t X = T.x(), Y = T.y(), N = of(S, "n");
    if (X >= N || Y >= N)
      return;
    Out.load("a", Y * N + X);
    Out.load("a", Y * N + std::max<int64_t>(X - 1, 0));
    Out.load("a", Y * N + std::min(X + 1, N - 1));
    Out.load("a", std::max<int64_t>(Y - 1, 0) * N + X);
    Out.load("a", std::min(Y + 1, N - 1) * N + X);
    Out.store("b", Y * N + X);
  };
  K["matmul"] = [](const Thread &T, const Shape &S, Touched &Out) {
    int64_t X = T.x(), Y = T.y(), N = of(S, "n");
    if (X >= N || Y >= N)
      return;
    for (int64_t I = 0; I < N; ++I) {
      Out.load("a", Y * N + I);
      Out.load("b", I * N + X);
    }
    Out.store("c", Y * N + X);
  };
  K["matmulTiled"] = [](const Thread &T, const Shape &S, Touched &Out) {
    int64_t N = of(S, "n");
    for (int64_t Tile = 0; Tile < N / 16; ++Tile) {
      Out.load("a", T.y() * N + Tile * 16 + T.TidX);
      Out.load("b", (Tile * 16 + T.TidY) * N + T.x());
    }
    Out.store("c", T.y() * N + T.x());
  };
  K["transposeTiled"] = [](const Thread &T, const Shape &S, Touched &Out) {
    int64_t N = of(S, "n");
    for (int64_t R = 0; R < 32; R += 8) {
      Out.load("a", (T.BlockY * 32 + T.TidY + R) * N + T.BlockX * 32 + T.TidX);
      Out.store("b", (T.BlockX * 32 + T.TidY + R) * N + T.BlockY * 32 + T.TidX);
    }
  };
  K["triangular"] = [](const Thread &T, const Shape &S, Touched &Out) {
    int64_t N = of(S, "n");
    if (T.x() >= N)
      return;
    for (int64_t J = 0; J <= T.x(); ++J) {
      Out.load("a", T.x() * N + J);
      Out.load("x", J);
    }
    Out.store("y", T.x());
  };
  K["convolve2d"] = [](const Thread &T, const Shape &S, Touched &Out) {
    int64_t N = of(S, "n"), Size = of(S, "size"), Pitch = N + Size - 1;
    if (T.x() >= N || T.y() >= N)
      return;
    for (int64_t I = 0; I < Size; ++I)
      for (int64_t J = 0; J < Size; ++J) {
        Out.load("w", I * Size + J);
        Out.load("a", (T.y() + I) * Pitch + T.x() + J);
      }
    Out.store("b", T.y() * N + T.x());
  };
  K["ellpack"] = [](const Thread &T, const Shape &S, Touched &Out) {
    int64_t N = of(S, "n");
    if (T.x() >= N)
      return;
    for (int64_t I = 0; I < of(S, "length"); ++I) {
      Out.load("a", I * N + T.x());
      Out.load("index", I * N + T.x());
      Out.load("x", indexAt(I * N + T.x(), S.Range));
    }
    Out.store("y", T.x());
  };
  K["histogram"] = [](const Thread &T, const Shape &S, Touched &Out) {
    if (T.x() < of(S, "n")) {
      Out.load("data", T.x());
      Out.store("bins", indexAt(T.x(), S.Range));
    }
  };
  return K;
}

TEST(Oracle, AddressesAreThoseOfTheSource) {
  std::map<std::string, Source> Sources = sources();
  llvm::StringMap<KernelModel> Kernels = oracleKernels();
  unsigned Compared = 0;
  for (const KernelCases &C : oracleCases()) {
    auto Source = Sources.find(C.Kernel);
    if (Source == Sources.end())
      continue;
    ASSERT_TRUE(Kernels.count(C.Kernel)) << C.Kernel;
    for (const Shape &S : C.Shapes) {
      if (S.L.blocks() * S.L.threadsPerBlock() > 30000)
        continue;
      Touched Want = byHand(Source->second, S),
              Got = extracted(Kernels[C.Kernel], S);
      EXPECT_TRUE(Got.All == Want.All) << C.Kernel << " " << S.str();
      ++Compared;
    }
  }
  EXPECT_GE(Compared, 3 * Sources.size());
}

TEST(Oracle, FortyKernelsOfSixShapes) {
  llvm::StringMap<KernelModel> Kernels = oracleKernels();
  EXPECT_GE(oracleCases().size(), 40u);
  for (const KernelCases &C : oracleCases()) {
    EXPECT_GE(C.Shapes.size(), 6u) << C.Kernel;
    EXPECT_TRUE(Kernels.count(C.Kernel)) << C.Kernel;
  }
}

} // namespace
