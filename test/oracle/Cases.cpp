/// \file
/// Sizes from what fits an L1 of 32 KiB to several times an L2 of 256 KiB.
#include "Cases.h"

namespace gpuestimate::test {

using Sizes = std::vector<uint64_t>;
using Block = std::array<uint64_t, 3>;
using Blocks = std::vector<Block>;
using More = llvm::StringMap<double>;

std::string Shape::str() const {
  auto dims = [](const std::array<uint64_t, 3> &D) {
    std::string Out = std::to_string(D[0]);
    if (D[1] > 1 || D[2] > 1)
      Out += "x" + std::to_string(D[1]);
    if (D[2] > 1)
      Out += "x" + std::to_string(D[2]);
    return Out;
  };
  std::string Out = dims(L.Grid) + " of " + dims(L.Block);
  std::vector<std::string> Names;
  for (const auto &V : Values)
    Names.push_back(V.getKey().str());
  std::sort(Names.begin(), Names.end());
  for (const std::string &Name : Names)
    Out += " " + Name + "=" + std::to_string(int64_t(Values.lookup(Name)));
  return Out;
}

static uint64_t ceilDiv(uint64_t A, uint64_t B) { return (A + B - 1) / B; }

static Shape shape(Block Grid, Block Threads, const Bindings &Values) {
  Shape S;
  S.L.Grid = Grid;
  S.L.Block = Threads;
  S.Values = Values;
  return S;
}

static Bindings with(const Bindings &Values, llvm::StringRef Name, double V) {
  Bindings Out = Values;
  Out[Name] = V;
  return Out;
}

/// n elements, a thread for each.
static std::vector<Shape> lines(const Sizes &N, const Sizes &Threads,
                                const Bindings &Values = {}) {
  std::vector<Shape> Out;
  for (uint64_t Size : N)
    for (uint64_t T : Threads)
      Out.push_back(
          shape({ceilDiv(Size, T), 1, 1}, {T, 1, 1}, with(Values, "n", Size)));
  return Out;
}

/// Blocks of the launch given.
static std::vector<Shape> counted(const Sizes &Counts, const Sizes &Threads,
                                  const Bindings &Values) {
  std::vector<Shape> Out;
  for (uint64_t Count : Counts)
    for (uint64_t T : Threads)
      Out.push_back(shape({Count, 1, 1}, {T, 1, 1}, Values));
  return Out;
}

/// n x n elements (n x n x n where blocks are deep), a thread for Each.x x
/// Each.y of them.
static std::vector<Shape> squares(const Sizes &N, const Blocks &Threads,
                                  const Bindings &Values = {},
                                  Block PerThread = {1, 1, 1}) {
  std::vector<Shape> Out;
  for (uint64_t Side : N)
    for (Block T : Threads)
      Out.push_back(shape({ceilDiv(Side, T[0] * PerThread[0]),
                           ceilDiv(Side, T[1] * PerThread[1]), PerThread[2]},
                          T, with(Values, "n", Side)));
  return Out;
}

static std::vector<Shape> cubes(const Sizes &N, const Blocks &Threads) {
  std::vector<Shape> Out;
  for (uint64_t Side : N)
    for (Block T : Threads)
      Out.push_back(
          shape({ceilDiv(Side, T[0]), ceilDiv(Side, T[1]), ceilDiv(Side, T[2])},
                T, {{"n", double(Side)}}));
  return Out;
}

/// The same shapes with an argument of each value.
static std::vector<Shape> times(const std::vector<Shape> &Shapes,
                                llvm::StringRef Name, const Sizes &Values) {
  std::vector<Shape> Out;
  for (uint64_t V : Values)
    for (Shape S : Shapes) {
      S.Values[Name] = V;
      Out.push_back(S);
    }
  return Out;
}

/// Indices into Array, which has as many elements.
static std::vector<Shape> drawn(const std::vector<Shape> &Shapes,
                                llvm::StringRef Array, const Sizes &Elements,
                                unsigned Fields = 1) {
  std::vector<Shape> Out = times(Shapes, Array, Elements);
  for (Shape &S : Out)
    S.Range = S.Values[Array] / Fields;
  return Out;
}

static const Sizes Vectors = {4096, 20000, 100000}, Narrow = {64, 128, 256},
                   Usual = {128, 256};
static const Blocks Tiles = {{32, 8, 1}, {16, 16, 1}}, Square16 = {{16, 16, 1}},
                    Tall = {{32, 8, 1}}, Flat = {{64, 4, 1}, {128, 1, 1}};

static std::vector<KernelCases> streams() {
  std::vector<KernelCases> C;
  auto add = [&](const char *Kernel, std::vector<Shape> Shapes) {
    C.push_back({"streams.cu", Kernel, std::move(Shapes)});
  };
  add("copy", lines(Vectors, Usual));
  add("triad", lines(Vectors, Usual));
  add("copyFloat2", lines(Vectors, Usual));
  add("copyFloat4", lines(Vectors, Usual));
  add("misaligned", times(lines({20000, 100000}, {128}), "shift", {1, 3, 9}));
  add("strided", times(lines({20000}, Usual), "stride", {2, 3, 8, 32, 33}));
  add("stridedStore",
      times(lines({20000}, Usual), "stride", {2, 3, 8, 32, 33}));
  std::vector<Shape> Grid;
  for (uint64_t Count : {12, 24, 17})
    for (double N : {20000, 100000})
      Grid.push_back(shape({Count, 1, 1}, {256, 1, 1}, {{"n", N}}));
  add("gridStride", Grid);
  add("reversed", lines(Vectors, Usual));
  std::vector<Shape> Pieces;
  for (uint64_t Piece : {4, 12, 50})
    for (uint64_t T : Usual)
      Pieces.push_back(
          shape({32, 1, 1}, {T, 1, 1},
                {{"n", double(32 * T * Piece)}, {"piece", double(Piece)}}));
  add("pieces", Pieces);
  add("broadcast", times(counted({24}, Usual, {}), "n", {500, 3000, 30000}));
  add("modulo", times(lines({40000}, {256, 128}), "m", {100, 5000, 30000}));
  add("moduloBlock", times(counted({240, 500}, {128}, {}), "m", {5, 60, 1000}));
  add("quotientBlock", times(counted({240, 500}, {128}, {}), "m", {2, 6, 40}));
  add("arrayOfStructs", lines(Vectors, Usual));
  add("structOfArrays", lines(Vectors, Usual));
  add("twoPasses", times(counted({24, 60}, {128}, {}), "m", {8, 40, 120}));
  return C;
}

static std::vector<KernelCases> stencils() {
  std::vector<KernelCases> C;
  auto add = [&](const char *Kernel, std::vector<Shape> Shapes) {
    C.push_back({"stencils.cu", Kernel, std::move(Shapes)});
  };
  add("stencil1d", lines(Vectors, Usual));
  add("stencil1dWide", lines(Vectors, Usual));
  for (const char *Kernel : {"fivePoint", "ninePoint", "star", "clamped"})
    add(Kernel, squares({98, 200, 386}, Tiles));
  add("tiledFivePoint", squares({66, 130, 194, 258, 322, 386}, Square16));
  Blocks Deep = {{32, 4, 2}, {8, 8, 4}};
  add("sevenPoint", cubes({34, 50, 66}, Deep));
  add("sevenPointMarching", times(squares({34, 66, 130}, Tiles), "nz", {18}));
  add("twentySevenPoint", cubes({34, 50, 66}, Deep));
  std::vector<Shape> Halo;
  for (double N : {300, 1000, 4000})
    for (uint64_t Strips : {8, 50})
      Halo.push_back(shape({ceilDiv(N, 128), Strips, 1}, {128, 1, 1},
                           {{"n", N}, {"rows", 4}}));
  add("haloRows", Halo);
  add("hydro", squares({98, 200, 386}, Tiles));
  add("average2x2", squares({64, 150, 250}, Tiles));
  return C;
}

static std::vector<KernelCases> matrices() {
  std::vector<KernelCases> C;
  auto add = [&](const char *Kernel, std::vector<Shape> Shapes) {
    C.push_back({"matrices.cu", Kernel, std::move(Shapes)});
  };
  add("matmul", squares({64, 160, 224}, Tiles));
  add("matmulByColumns", squares({64, 128, 168}, Tiles));
  add("matmulTiled", squares({64, 128, 160, 224, 288, 320}, Square16));
  add("matmulCoarsened",
      squares({64, 128, 256}, {{16, 16, 1}, {16, 8, 1}}, {}, {4, 1, 1}));
  std::vector<Shape> Batched;
  for (uint64_t M : {4, 8, 16})
    for (uint64_t Count : {100, 600})
      Batched.push_back(shape({Count, 1, 1}, {M, M, 1}, {{"m", double(M)}}));
  add("batched", Batched);
  add("batchedByThread", times(lines({2000, 6000}, {128}), "m", {3, 4, 8}));
  for (const char *Kernel : {"transpose", "transposeByRows"})
    add(Kernel, squares({64, 200, 360}, Tiles));
  for (const char *Kernel : {"transposeTiled", "transposePadded"})
    add(Kernel, squares({64, 128, 192, 256, 320, 384}, Tall, {}, {1, 4, 1}));
  for (const char *Kernel :
       {"rowWalk", "columnWalk", "triangular", "triangularColumns"})
    add(Kernel, lines({128, 300, 700}, {64, 128}));
  add("twoRowWalks", lines({128, 300, 700}, {32, 192}));
  for (const char *Kernel : {"rankUpdate", "rankTwoUpdate"})
    add(Kernel, times(squares({64, 144}, {{32, 8, 1}}), "m", {32, 100, 250}));
  add("outer", squares({64, 200, 360}, Tiles));
  std::vector<Shape> Warps;
  for (uint64_t N : {64, 200, 450})
    for (uint64_t T : Usual)
      Warps.push_back(
          shape({ceilDiv(N * 32, T), 1, 1}, {T, 1, 1}, {{"n", double(N)}}));
  add("warpRow", Warps);
  return C;
}

static std::vector<KernelCases> filters() {
  std::vector<KernelCases> C;
  auto add = [&](const char *Kernel, std::vector<Shape> Shapes) {
    C.push_back({"filters.cu", Kernel, std::move(Shapes)});
  };
  add("convolve1d", times(lines({20000, 100000}, {128}), "taps", {5, 17, 65}));
  add("convolve2d", times(squares({64, 200}, Tall), "size", {3, 5, 9}));
  add("convolveConstant", squares({64, 150, 300}, Tiles));
  for (const char *Kernel : {"convolveRows", "convolveColumns"})
    add(Kernel, times(squares({64, 250}, Tiles), "taps", {5, 17}));
  std::vector<Shape> Channels;
  for (uint64_t N : {32, 64})
    for (uint64_t Out : {4, 8, 16})
      Channels.push_back(shape({ceilDiv(N, 32), ceilDiv(N, 8), Out}, {32, 8, 1},
                               {{"n", double(N)}, {"depth", 8}}));
  add("channels", Channels);
  add("pool", times(squares({64, 120}, Tall), "window", {2, 3, 4}));
  add("enlarge", squares({64, 256, 500}, Tiles));
  return C;
}

static std::vector<KernelCases> sharing() {
  std::vector<KernelCases> C;
  auto add = [&](const char *Kernel, std::vector<Shape> Shapes) {
    C.push_back({"sharing.cu", Kernel, std::move(Shapes)});
  };
  Sizes Six = {2000, 4096, 20000, 50000, 100000, 200000};
  for (const char *Kernel : {"reduce", "reduceInterleaved", "scan"})
    add(Kernel, lines(Six, {256}));
  add("conflicts",
      times(counted({50}, {128}, {}), "stride", {1, 2, 3, 4, 8, 16, 32, 33}));
  add("conflictsDouble",
      times(counted({50}, {128}, {}), "stride", {1, 2, 3, 4, 8, 16, 17}));
  add("conflictsFloat4",
      times(counted({50}, {128}, {}), "stride", {1, 2, 3, 4, 8, 9}));
  add("gather", drawn(lines({40000}, Usual), "x", {3000, 30000, 300000}));
  add("gatherFields",
      drawn(lines({40000}, Usual), "x", {4000, 40000, 400000}, 4));
  add("gatherRuns", drawn(lines({40000}, Usual), "x", {3000, 30000, 300000}));
  add("scatter", drawn(lines({40000}, Usual), "out", {3000, 30000, 300000}));
  add("ellpack", times(drawn(lines({8000}, {128}), "x", {3000, 30000, 300000}),
                       "length", {4, 20}));
  add("histogram", drawn(lines({40000}, Usual), "bins", {256, 3000, 100000}));
  add("count", times(counted({60, 400}, {128}, {}), "m", {1, 8, 300}));
  add("privateArray",
      times(lines({4000, 9000}, {128}), "rounds", {1, 2, 5, 16}));
  add("writeThenRead", times(counted({24, 60}, {128}, {}), "m", {4, 12, 60}));
  add("inPlace", times(lines({4000, 30000}, {128}), "rounds", {1, 4, 6}));
  return C;
}

std::vector<KernelCases> oracleCases() {
  std::vector<KernelCases> All;
  for (auto Part : {streams(), stencils(), matrices(), filters(), sharing()})
    All.insert(All.end(), Part.begin(), Part.end());
  return All;
}

} // namespace gpuestimate::test
