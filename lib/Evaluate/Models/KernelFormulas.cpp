#include "KernelFormulas.h"
#include "Evaluate/Launch/FittingResources.h"
#include "Evaluate/Warp/WarpPaths.h"
#include "Kleimenov.h"
#include "PrintedSize.h"
#include "TimeFormula.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {
namespace {

/// A sum of many terms. Terms join a short sum one by one and a long one in
/// batches that double, because each addition sorts the sum.
class GrowingSum {
public:
  explicit GrowingSum(ExprContext &Ctx) : Ctx(Ctx), Sum(Ctx.constant(0)) {}

  void add(Expr Term) {
    if (Sum.kind() != ExprKind::Add || Sum.operands().size() <= Short) {
      Sum = Sum + Term;
      return;
    }
    Waiting.push_back(Term);
    if (Waiting.size() >= Sum.operands().size())
      total();
  }

  Expr total() {
    if (!Waiting.empty()) {
      Waiting.push_back(Sum);
      Sum = Ctx.add(Waiting);
      Waiting.clear();
    }
    return Sum;
  }

private:
  static constexpr size_t Short = 64;
  ExprContext &Ctx;
  Expr Sum;
  SmallVector<Expr> Waiting;
};

/// Sums over the executions of a thread.
class ExecutionSums {
public:
  ExecutionSums(const KernelModel &Kernel, FormulaTerms &Terms)
      : Kernel(Kernel), Terms(Terms), Ctx(Terms.context()) {}

  /// Formula of Value for one execution of a basic block.
  Expr build(function_ref<Expr(const BasicBlock &)> Value) {
    NodesLeft = MaxNodes;
    Blocks = 0;
    return body(Kernel.Body, Value);
  }
  /// Basic blocks that the last sum holds.
  unsigned blocks() const { return Blocks; }

private:
  /// Units of work to build one term of a sum.
  static constexpr uint64_t WorkOfTerm = 20;
  /// About 64 kB of text; a longer formula is not readable.
  static constexpr size_t MaxNodes = 10000;

  /// Takes the nodes of Factors; false when none are left.
  bool hasRoom(ArrayRef<Expr> Factors) {
    size_t Needed = 1;
    for (Expr E : Factors)
      Needed += Size.of(E);
    // The formula ends with the first block that does not fit.
    NodesLeft = Needed > NodesLeft ? 0 : NodesLeft - Needed;
    return NodesLeft > 0 && spendWork(Needed);
  }

  Expr body(const std::vector<RegionNode> &Nodes,
            function_ref<Expr(const BasicBlock &)> Value) {
    GrowingSum Sum(Ctx);
    for (const RegionNode &I : Nodes) {
      if (!spendWork(WorkOfTerm))
        return Ctx.constant(0);
      if (I.Kind == RegionNode::IsBlock) {
        const BasicBlock &B = Kernel.Blocks[I.Index];
        if (!hasRoom(B.Active))
          break;
        ++Blocks;
        Sum.add(Terms.import(B.Active) * Value(B));
        continue;
      }
      const Loop &L = Kernel.Loops[I.Index];
      if (!hasRoom({L.Active, L.TripCount}))
        break;
      Expr Inner = body(L.Body, Value);
      Expr Trips = Terms.import(L.TripCount);
      Expr Iterations = Inner.dependsOn(L.Counter)
                            ? Ctx.sum(L.Counter, Trips, Inner)
                            : Trips * Inner;
      Sum.add(Terms.import(L.Active) * Iterations);
    }
    return Sum.total();
  }

  const KernelModel &Kernel;
  FormulaTerms &Terms;
  ExprContext &Ctx;
  PrintedSize Size;
  size_t NodesLeft = 0; ///< that the sum may still have
  unsigned Blocks = 0;
};

class FormulaBuilder {
public:
  explicit FormulaBuilder(const ModelInputs &In)
      : In(In), Kernel(In.Kernel), Mem(kleimenovTraffic(In)),
        Latency(kleimenovLatency(kleimenovMachine(In.Gpu).Latency, Mem.Share)),
        Conditions(kleimenovConditions(In, Latency)),
        Terms(Kernel, In.Costs, Conditions), Ctx(Terms.context()),
        Sums(Kernel, Terms) {}

  KernelFormulas run() {
    Result.Context = Terms.sharedContext();
    addTime();
    addDelay();
    addMemory();
    add("syncs", "Barriers that a thread passes",
        count([&](const Operation &Op) {
          return Op.Class == OpClass::Barrier ? Op.Count : 0;
        }));
    add("registers", "Registers of a thread",
        Ctx.constant(
            registersOn(In.Gpu, fittingResources(In.Gpu, Kernel.Res, In.L))));
    Expr Shared = Ctx.constant(double(Kernel.Res.StaticSharedBytes));
    if (Kernel.Res.UsesDynamicShared)
      Shared = Shared + Ctx.parameter(DynamicShared);
    add("shared_mem", "Bytes of shared memory of a block", Shared);
    addParameters();
    return std::move(Result);
  }

private:
  static constexpr StringLiteral DynamicShared = "dynamicSharedBytes";

  void add(std::string Name, std::string Meaning, Expr Value,
           std::optional<unsigned> Blocks = std::nullopt) {
    unsigned Shown = Blocks.value_or(Sums.blocks()), All = Kernel.Blocks.size();
    KernelFormula F{std::move(Name), std::move(Meaning), Value};
    if (!Value.asConstant() && Shown < All)
      F.CutOff = " + ... (cut off after " + std::to_string(Shown) + " of " +
                 std::to_string(All) + " blocks)";
    Result.Tuple.push_back(std::move(F));
  }

  /// Sum of numbers over the executed operations.
  Expr count(function_ref<double(const Operation &)> Number) {
    return Sums.build([&](const BasicBlock &B) {
      double Sum = 0;
      for (unsigned I : B.operations())
        Sum += Number(Kernel.Operations[I]);
      return Ctx.constant(Sum);
    });
  }

  void addTime() {
    if (In.Sample.Paths.empty()) {
      add("time", "Cycles that a warp takes alone on the machine",
          Ctx.constant(0));
      return;
    }
    // The longest path decides maxima.
    PathClasses Classes = classifyPaths(Kernel, In.Sample.Paths, 1);
    const WarpPath &Longest = *max_element(
        In.Sample.Paths, [&](const WarpPath &A, const WarpPath &B) {
          return Classes.Operations[&A - &In.Sample.Paths[0]] <
                 Classes.Operations[&B - &In.Sample.Paths[0]];
        });
    TimeFormula F =
        buildTimeFormula(Kernel, In.Costs, Conditions, Longest, Terms);
    add("time", "Cycles that a warp takes alone on the machine", F.Cycles,
        F.Blocks);
    Result.TimeOfLongestWarp = F.Value;
    Result.Remarks.push_back(
        F.HasMaxima
            ? "time holds where no latency is below the issue delay of its "
              "class"
            : "time holds while the same operands arrive last as on this GPU: "
              "with all maxima it would be too long");
  }

  /// Issue delays of the operations that Counts names.
  Expr delay(function_ref<bool(const Operation &)> Counts) {
    return Sums.build([&](const BasicBlock &B) {
      MapVector<const ExprNode *, double> Instructions; // by their delay
      for (const Operation &Op :
           ArrayRef(Kernel.Operations).slice(B.FirstOp, B.EndOp - B.FirstOp))
        if (Counts(Op))
          Instructions[Terms.delay(Op).node()] += Op.Count;
      SmallVector<Expr> Products = {Ctx.constant(0)};
      for (auto [Delay, Number] : Instructions)
        Products.push_back(Number * Expr(Delay));
      return Products.size() > 1 ? Ctx.add(Products) : Products[0];
    });
  }

  void addDelay() {
    add("delay", "Cycles of issue of a warp",
        delay([](const Operation &) { return true; }));
    for (unsigned P = 0; P < NumPipes; ++P) {
      auto isOn = [&](const Operation &Op) {
        return unsigned(In.Costs.pipe(Op)) == P;
      };
      if (any_of(Kernel.Operations, isOn))
        add("delay." + name(Pipe(P)).str(),
            "Cycles of issue to the pipe " + name(Pipe(P)).str(), delay(isOn));
    }
  }

  /// Bytes of the accesses for which Counts holds.
  Expr bytes(function_ref<bool(unsigned Access)> Counts) {
    return count([&](const Operation &Op) -> double {
      bool IsCounted = Op.access() && isMem(Kernel.Accesses[*Op.access()]) &&
                       Counts(*Op.access());
      return IsCounted ? Kernel.Accesses[*Op.access()].BytesPerThread : 0;
    });
  }

  void addMemory() {
    Expr All = bytes([](unsigned) { return true; });
    add("mem",
        "Bytes that a thread accesses in global, local and texture memory",
        All);
    add("uncoal_mem", "Bytes that a thread accesses by uncoalesced requests",
        bytes([&](unsigned A) {
          return isUncoalesced(Kernel.Accesses[A], In.Sample.Accesses[A],
                               In.Gpu);
        }));
    addHitRates(All);
  }

  /// Hits of one buffer, in bytes of the launch.
  struct BufferHits {
    double Bytes = 0, L1 = 0, L2 = 0;
    double l1() const { return share(L1, Bytes); }
    double l2() const { return share(L2, Bytes - L1); }
    /// Without what rounding leaves.
    static double share(double Part, double Whole) {
      constexpr double Rounding = 1e-12;
      return Whole > 0 && Part > Rounding * Whole ? Part / Whole : 0;
    }
  };

  static StringRef bufferOf(const MemoryAccess &A) {
    if (A.Space == MemorySpace::Local)
      return "local";
    return A.Base.empty() ? StringRef("unknown") : StringRef(A.Base);
  }

  void addHitRates(Expr All) {
    MapVector<StringRef, BufferHits> Buffers;
    for (auto [A, T, F] :
         zip_equal(Kernel.Accesses, In.Sample.Accesses, In.Flow.Accesses)) {
      if (!isMem(A))
        continue;
      BufferHits &Hits = Buffers[bufferOf(A)];
      double Bytes = T.Threads * A.BytesPerThread;
      Hits.Bytes += Bytes;
      Hits.L1 += Bytes * F.L1Hit;
      Hits.L2 += Bytes * (1 - F.L1Hit) * F.L2Hit;
    }
    Expr L1 = Ctx.constant(0), L2 = Ctx.constant(0);
    bool IsShort = Buffers.size() <= MaxBuffers;
    if (!IsShort) {
      L1 = All * Terms.real("l1.all", Mem.Share[KleimenovLevel::L1]);
      L2 = All * Terms.real("l2.all", Mem.Share[KleimenovLevel::L2]);
    }
    for (auto &[Buffer, Hits] : Buffers) {
      if (!IsShort || Hits.Bytes <= 0)
        continue;
      Expr OfBuffer = bytes([&, Name = Buffer](unsigned A) {
        return bufferOf(Kernel.Accesses[A]) == Name;
      });
      Expr Hit = Terms.real(("l1." + Buffer).str(), Hits.l1());
      L1 = L1 + OfBuffer * Hit;
      L2 = L2 +
           OfBuffer * (1 - Hit) * Terms.real(("l2." + Buffer).str(), Hits.l2());
    }
    auto share = [&](Expr Part) {
      return All.isConstant(0) ? All : Ctx.div(Part, All);
    };
    add("l1pct", "Share of mem that hits L1", share(L1));
    add("l2pct", "Share of mem that hits L2", share(L2));
  }
  /// Formulas of more buffers have one hit rate for all.
  static constexpr size_t MaxBuffers = 32;

  void addParameters() {
    std::vector<Expr> Values;
    for (const KernelFormula &F : Result.Tuple)
      Values.push_back(F.Value);
    std::vector<std::string> Names = parametersOf(Values);
    auto isTerm = [&](StringRef Name) {
      return any_of(Terms.all(), [&](const FormulaTerms::Term &T) {
        return T.Name == Name;
      });
    };
    for (const std::string &Name : Names)
      if (!isTerm(Name))
        Result.Parameters.push_back(parameter(Name));
    for (const FormulaTerms::Term &T : Terms.all())
      if (is_contained(Names, T.Name))
        Result.Parameters.push_back(parameter(T));
    stable_sort(Result.Parameters,
                [](const FormulaParameter &A, const FormulaParameter &B) {
                  return A.Kind < B.Kind;
                });
  }

  FormulaParameter parameter(const std::string &Name) const {
    FormulaParameter P{FormulaParameter::Argument, Name, NAN, "", "argument"};
    if (auto Value = In.All.find(Name); Value != In.All.end())
      P.Value = Value->second;
    if (Name == DynamicShared) {
      P.Value = double(In.L.DynamicSharedBytes);
      P.Source = "the launch";
    }
    auto [Vector, Component] = StringRef(Name).split('.');
    unsigned Dimension = Component.empty() ? 3 : unsigned(Component[0] - 'x');
    if (Component.size() == 1 && Dimension < 3 &&
        (Vector == "threadIdx" || Vector == "blockIdx" ||
         Vector == "blockDim" || Vector == "gridDim")) {
      P.Kind = FormulaParameter::Coordinate;
      P.Source = "the launch";
      P.Value = Vector == "blockDim"  ? double(In.L.Block[Dimension])
                : Vector == "gridDim" ? double(In.L.Grid[Dimension])
                                      : 0;
      if (Vector == "threadIdx" || Vector == "blockIdx")
        P.Source = "the first thread";
    }
    for (const Unknown &U : Kernel.Unknowns)
      if (U.Name == Name) {
        P.Kind = FormulaParameter::Assumption;
        P.Source = U.What + (U.Why.empty() ? "" : ": " + U.Why);
      }
    return P;
  }

  FormulaParameter parameter(const FormulaTerms::Term &T) const {
    FormulaParameter P{FormulaParameter::Cost, T.Name, T.Value, "cycles",
                       T.Key};
    if (StringRef(T.Name).starts_with("l1.") ||
        StringRef(T.Name).starts_with("l2.")) {
      P.Kind = FormulaParameter::HitRate;
      P.Unit = "";
      P.Source = "hit rate of this launch";
    } else if (T.Key.empty()) {
      P.Source = "l1.latency, l2.latency and dram.latency by l1pct, l2pct";
    }
    if (auto Origin = In.Gpu.Sources.find(T.Key);
        Origin != In.Gpu.Sources.end())
      P.Source += " (" + Origin->second.Kind + ")";
    return P;
  }

  const ModelInputs &In;
  const KernelModel &Kernel;
  const KleimenovTraffic Mem;
  const double Latency; ///< lat_SM of an idle GPU
  const WarpConditions Conditions;
  FormulaTerms Terms;
  ExprContext &Ctx;
  ExecutionSums Sums;
  KernelFormulas Result;
};

} // namespace

KernelFormulas buildKernelFormulas(const ModelInputs &In) {
  return FormulaBuilder(In).run();
}

} // namespace gpuestimate
