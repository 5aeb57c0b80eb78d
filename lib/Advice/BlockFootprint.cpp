/// \file
/// Enumeration of one block's addresses.
#include "BlockFootprint.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static constexpr unsigned FirstCounter = 6;

static std::vector<std::string> inputNames(const KernelModel &Kernel) {
  std::vector<std::string> Names = {"threadIdx.x", "threadIdx.y", "threadIdx.z",
                                    "blockIdx.x",  "blockIdx.y",  "blockIdx.z"};
  for (const Loop &KernelLoop : Kernel.Loops)
    Names.push_back(KernelLoop.Counter);
  return Names;
}

static CompiledExprs compile(const Advisor &A, ArrayRef<unsigned> Accesses,
                             ArrayRef<std::string> Names) {
  // A context of its own keeps the kernel's context from growing.
  ExprContext Own;
  const Bindings &All = A.bound();
  std::vector<Expr> Outputs;
  for (unsigned I : Accesses) {
    const MemoryAccess &Access = A.Kernel.Accesses[I];
    Outputs.push_back(Own.bind(Own.import(Access.Address), All));
    Expr Active = Own.import(A.Kernel.Blocks[Access.Block].Active);
    for (unsigned Loop : A.loopsAround(Access.Block))
      Active = Active * Own.import(A.Kernel.Loops[Loop].Active);
    Outputs.push_back(Own.bind(Active, All));
  }
  return CompiledExprs(Outputs, Names);
}

BlockFootprint::BlockFootprint(const Advisor &A, ArrayRef<unsigned> Accesses)
    : L(A.L), Names(inputNames(A.Kernel)), Outputs(2 * Accesses.size()),
      Program(compile(A, Accesses, Names)),
      Threads(static_cast<unsigned>(A.L.threadsPerBlock())) {
  Inputs.assign(Names.size() * size_t(Threads), 0);
  Out.resize(Outputs * size_t(Threads));
  for (unsigned T = 0; T < Threads; ++T) {
    Inputs[T] = double(T % L.Block[0]);
    Inputs[Threads + T] = double(T / L.Block[0] % L.Block[1]);
    Inputs[2 * Threads + T] = double(T / L.Block[0] / L.Block[1]);
    for (unsigned D = 0; D < 3; ++D)
      Inputs[(3 + D) * Threads + T] = double(L.Grid[D] / 2);
  }
}

void BlockFootprint::collect(std::vector<Addresses> &ByThread) {
  Program.evaluateMany(Inputs, Out, Threads);
  for (unsigned Address = 0; Address < Outputs; Address += 2)
    for (unsigned T = 0; T < Threads; ++T) {
      double Byte = Out[Address * size_t(Threads) + T];
      double Active = Out[(Address + 1) * size_t(Threads) + T];
      // A condition on loaded data (NaN) may hold.
      if (std::isfinite(Byte) && !(Active <= 0))
        ByThread[T].push_back(int64_t(Byte));
    }
}

/// Removes duplicates; the order changes.
static void makeUnique(std::vector<int64_t> &Values) {
  if (is_sorted(Values)) { // or empty
    Values.erase(unique(Values), Values.end());
    return;
  }
  auto [Lowest, Highest] = std::minmax_element(Values.begin(), Values.end());
  int64_t Base = *Lowest;
  uint64_t Range = uint64_t(*Highest) - uint64_t(Base), Any = 0;
  for (int64_t Value : Values)
    Any |= uint64_t(Value - Base);
  unsigned Shift = countr_zero(Any); // they are not equal
  uint64_t Places = (Range >> Shift) + 1;
  // A bit map is cheaper than a hash table, unless the values are few and
  // sparse.
  bool Dense = Places <= INT32_MAX && Places / 64 <= 16 * Values.size();
  BitVector Met(Dense ? unsigned(Places) : 0, false);
  unsigned Bits = Log2_64_Ceil(Values.size()) + 1;
  std::vector<unsigned> Table(Dense ? 0 : size_t(1) << Bits, UINT_MAX);
  unsigned Kept = 0;
  for (int64_t Value : Values) {
    uint64_t Place = uint64_t(Value - Base) >> Shift;
    if (Dense) {
      if (Met.test(unsigned(Place)))
        continue;
      Met.set(unsigned(Place));
    } else {
      size_t Slot = (Place * 0x9E3779B97F4A7C15u) >> (64 - Bits);
      while (Table[Slot] != UINT_MAX && Values[Table[Slot]] != Value)
        Slot = (Slot + 1) & (Table.size() - 1);
      if (Table[Slot] != UINT_MAX)
        continue;
      Table[Slot] = Kept;
    }
    Values[Kept++] = Value;
  }
  Values.resize(Kept);
}

static bool isShifted(ArrayRef<int64_t> A, ArrayRef<int64_t> B) {
  if (A.empty() || A.size() != B.size())
    return false;
  int64_t Shift = A.front() - B.front();
  return all_of(zip_equal(A, B), [&](auto Pair) {
    return std::get<0>(Pair) - std::get<1>(Pair) == Shift;
  });
}

BlockFootprint::Count BlockFootprint::count(ArrayRef<unsigned> Loops,
                                            ArrayRef<double> Iterations) {
  std::vector<uint64_t> Limits;
  uint64_t Points = 1;
  for (double Trips : Iterations) {
    double Budget = std::max(1.0, std::floor(MaxPoints / double(Points)));
    Limits.push_back(uint64_t(std::clamp(std::floor(Trips), 1.0, Budget)));
    Points *= Limits.back();
  }
  std::vector<Addresses> ByThread(Threads);
  for (Addresses &Touched : ByThread)
    Touched.reserve(Points * (Outputs / 2));
  auto SetCounter = [&](unsigned Loop, double Iteration) {
    double *Row = &Inputs[(FirstCounter + Loop) * size_t(Threads)];
    std::fill_n(Row, Threads, Iteration);
  };
  for (uint64_t Point = 0; Point < Points; ++Point) {
    uint64_t Remaining = Point;
    for (auto [Loop, Limit] : zip(Loops, Limits)) {
      SetCounter(Loop, double(Remaining % Limit));
      Remaining /= Limit;
    }
    collect(ByThread);
  }
  for (unsigned Loop : Loops)
    SetCounter(Loop, 0);

  Count C;
  C.Points = double(Points);
  Addresses All, Unlike, Distances, Begins;
  auto addAlike = [&] {
    makeUnique(Begins);
    for (int64_t Begin : Begins)
      for (int64_t D : Distances)
        All.push_back(Begin + D);
    Begins.clear();
  };
  for (const Addresses &Touched : ByThread) {
    if (Touched.empty())
      continue;
    // Most threads touch a translated copy of the first one's elements.
    if (!isShifted(Touched, Unlike)) {
      addAlike();
      Unlike = Distances = Touched;
      makeUnique(Distances);
      for (int64_t &D : Distances)
        D -= Unlike.front();
    }
    C.ByThreads += double(Distances.size());
    Begins.push_back(Touched.front());
  }
  addAlike();
  makeUnique(All);
  C.Distinct = double(All.size());
  return C;
}

} // namespace gpuestimate
