#include "FpgaBody.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// The operator for Op: its latency along a chain, and its DSP slices.
static FpgaOperator operatorOf(const Operation &Op, const FpgaModel &Fpga) {
  auto Serial = [](FpgaOperator A, FpgaOperator B) {
    return FpgaOperator{A.Latency + B.Latency, A.Dsp + B.Dsp};
  };
  FpgaOperator One;
  switch (Op.Class) {
  case OpClass::Fp32Add:
  case OpClass::Fp16Add:
    One = Fpga.Fp32Add;
    break;
  case OpClass::Fp32Mul:
  case OpClass::Fp16Mul:
    One = Fpga.Fp32Mul;
    break;
  case OpClass::Fp32Fma:
  case OpClass::Fp16Fma:
    One = Serial(Fpga.Fp32Mul, Fpga.Fp32Add);
    break;
  case OpClass::Fp64Add:
    One = Fpga.Fp64Add;
    break;
  case OpClass::Fp64Mul:
    One = Fpga.Fp64Mul;
    break;
  case OpClass::Fp64Fma:
    One = Serial(Fpga.Fp64Mul, Fpga.Fp64Add);
    break;
  case OpClass::Sfu:
    One = Fpga.Special;
    break;
  case OpClass::IntMul:
    One = Fpga.IntMul;
    break;
  case OpClass::LoadGlobal:
  case OpClass::LoadShared:
  case OpClass::LoadConstant:
  case OpClass::LoadLocal:
  case OpClass::Texture:
    One.Latency = Fpga.Load;
    break;
  case OpClass::StoreGlobal:
  case OpClass::StoreShared:
  case OpClass::StoreLocal:
    One.Latency = Fpga.Store;
    break;
  case OpClass::AtomicGlobal:
  case OpClass::AtomicShared:
    One.Latency = Fpga.Load + Fpga.Logic + Fpga.Store;
    break;
  case OpClass::Move:
  case OpClass::SpecialRegister:
  case OpClass::Branch:
  case OpClass::Barrier:
  case OpClass::Fence:
    break; // wires and the state machine
  default:
    One.Latency = Fpga.Logic;
    break;
  }
  // Several machine instructions of a GPU: Chain of them in sequence.
  One.Latency *= Op.Chain;
  One.Dsp *= Op.Count;
  return One;
}

static bool isInteger(OpClass Class) {
  switch (Class) {
  case OpClass::IntAdd:
  case OpClass::IntMul:
  case OpClass::Shift:
  case OpClass::Logic:
  case OpClass::Compare:
  case OpClass::Select:
  case OpClass::MinMax:
  case OpClass::BitField:
  case OpClass::ConvertInt32:
    return true;
  default:
    return false;
  }
}

/// Finds the operations that compute with loaded data. Other integer operations
/// compute indices, which are counters beside the data path.
static std::vector<bool> dataOperations(const KernelModel &Kernel) {
  std::vector<bool> Data(Kernel.Operations.size());
  // Two passes, for values carried from the end of a loop.
  for (unsigned Round = 0; Round < 2; ++Round)
    for (size_t I = 0; I < Data.size(); ++I) {
      const Operation &Op = Kernel.Operations[I];
      Data[I] = Data[I] || Op.access() || !isInteger(Op.Class) ||
                llvm::any_of(Op.Operands, [&](const Operand &Source) {
                  return Data[Source.Producer] &&
                         Kernel.Operations[Source.Producer].Class !=
                             OpClass::SpecialRegister;
                });
    }
  return Data;
}

/// True if operands may be combined in any order (up to rounding).
static bool isAssociative(OpClass Class) {
  switch (Class) {
  case OpClass::Fp32Add:
  case OpClass::Fp64Add:
  case OpClass::Fp16Add:
  case OpClass::IntAdd:
  case OpClass::MinMax:
  case OpClass::Logic:
  case OpClass::Move:
    return true;
  default:
    return false;
  }
}

namespace {

class BodyGraph {
public:
  BodyGraph(const KernelModel &Kernel, const LoopNestNumbers &Nest,
            llvm::ArrayRef<unsigned> Blocks, int Around, const FpgaModel &Fpga)
      : Kernel(Kernel), Nest(Nest), Around(Around) {
    std::vector<bool> Data = dataOperations(Kernel);
    for (unsigned B : Blocks)
      for (unsigned I : Kernel.Blocks[B].operations()) {
        NodeOf[I] = static_cast<unsigned>(Ops.size());
        Ops.push_back(I);
        Operators.push_back(Data[I] ? operatorOf(Kernel.Operations[I], Fpga)
                                    : FpgaOperator());
      }
  }

  FpgaBody run() {
    std::vector<double> Ready(Ops.size(), 0);
    for (unsigned To = 0; To < Ops.size(); ++To) {
      double Start = 0;
      for (const Operand &Source : Kernel.Operations[Ops[To]].Operands) {
        auto Node = NodeOf.find(Source.Producer);
        if (Node == NodeOf.end() || (Source.Carried && isSpread()))
          continue;
        Edges.push_back({Node->second, To,
                         Operators[Node->second].Latency.value(),
                         Source.Carried ? 1.0 : 0.0});
        if (!Source.Carried)
          Start = std::max(Start, Ready[Node->second]);
      }
      Ready[To] = Start + Operators[To].Latency.value();
      Result.Depth = std::max(Result.Depth, Ready[To]);
      if (!Kernel.Operations[Ops[To]].LoopOverhead)
        Result.Dsp += Operators[To].Dsp;
    }
    if (Around < 0 || isSpread())
      return Result; // its iterations are independent
    throughMemory();
    Result.Interval =
        recurrenceInterval(static_cast<unsigned>(Ops.size()), Edges);
    circuits();
    return Result;
  }

private:
  bool isSpread() const { return Around >= 0 && Nest.Loops[Around].Spread; }

  const NestedAccess *accessOf(unsigned Node) const {
    std::optional<unsigned> Index = Kernel.Operations[Ops[Node]].access();
    auto Match = llvm::find_if(
        Nest.Accesses, [&](const NestedAccess &A) { return A.Index == Index; });
    return Match == Nest.Accesses.end() ? nullptr : &*Match;
  }

  /// A load of a value that a store wrote Distance iterations earlier.
  void throughMemory() {
    for (unsigned S = 0; S < Ops.size(); ++S) {
      const NestedAccess *Store = accessOf(S);
      if (!Store || !Store->Writes || Store->Irregular || Store->Base.empty())
        continue;
      for (unsigned L = 0; L < Ops.size(); ++L) {
        const NestedAccess *Load = accessOf(L);
        if (!Load || !Load->Reads || Load->Base != Store->Base ||
            Load->Strides != Store->Strides || Store->Strides.empty())
          continue;
        double Stride = Store->Strides.back().second;
        double Apart = Store->Start - Load->Start;
        if (Stride == 0 && Apart == 0)
          memoryEdge(S, L, 1, /*SameElement=*/true);
        else if (Stride != 0 && Apart / Stride >= 1 &&
                 Apart / Stride == std::floor(Apart / Stride))
          memoryEdge(S, L, Apart / Stride, /*SameElement=*/false);
      }
    }
  }

  void memoryEdge(unsigned Store, unsigned Load, double Distance,
                  bool SameElement) {
    Edges.push_back({Store, Load, Operators[Store].Latency.value(), Distance});
    if (!SameElement)
      Result.Reassociates = false;
  }

  std::vector<bool> reachable(unsigned Origin, bool Forward) const {
    std::vector<bool> Seen(Ops.size());
    std::vector<unsigned> Work = {Origin};
    Seen[Origin] = true;
    while (!Work.empty()) {
      unsigned Node = Work.back();
      Work.pop_back();
      for (const DependenceEdge &E : Edges) {
        unsigned Next = Forward ? E.To : E.From;
        if ((Forward ? E.From : E.To) == Node && !Seen[Next]) {
          Seen[Next] = true;
          Work.push_back(Next);
        }
      }
    }
    return Seen;
  }

  /// Finds the operations on a circuit: they are reachable from the head of a
  /// carried edge, and its tail from them.
  void circuits() {
    for (const DependenceEdge &E : Edges) {
      if (E.Distance == 0)
        continue;
      std::vector<bool> After = reachable(E.To, true),
                        Before = reachable(E.From, false);
      for (unsigned N = 0; N < Ops.size(); ++N) {
        if (!After[N] || !Before[N])
          continue;
        const Operation &Op = Kernel.Operations[Ops[N]];
        if (Op.LoopOverhead)
          continue;
        bool Memory = Op.access().has_value();
        if (!Memory && !isAssociative(Op.Class))
          Result.Reassociates = false;
        if (!Memory)
          Result.TreeLatency =
              std::max(Result.TreeLatency, Operators[N].Latency.value());
      }
    }
  }

  const KernelModel &Kernel;
  const LoopNestNumbers &Nest;
  int Around;
  std::vector<unsigned> Ops; ///< into Kernel.Operations, in program order
  std::vector<FpgaOperator> Operators;
  llvm::DenseMap<unsigned, unsigned> NodeOf;
  std::vector<DependenceEdge> Edges;
  FpgaBody Result;
};

} // namespace

FpgaBody describeBody(const KernelModel &Kernel, const LoopNestNumbers &Nest,
                      llvm::ArrayRef<unsigned> Blocks, int Around,
                      const FpgaModel &Fpga) {
  return BodyGraph(Kernel, Nest, Blocks, Around, Fpga).run();
}

} // namespace gpuestimate
