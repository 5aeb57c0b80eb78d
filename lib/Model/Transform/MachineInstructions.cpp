#include "gpu-estimate/Model/Transform/MachineInstructions.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace llvm;

namespace gpuestimate {

namespace {

/// What executes an operation, as far as machine code tells numbers of it.
enum class Executes : uint8_t {
  Bookkeeping, ///< vector instructions that compilers make, merge and remove
  Arithmetic,  ///< vector instructions that the source asks for
  Lds,
  Memory, ///< by vector or scalar memory instructions
  Other
};

Executes executesOn(const Operation &Op, const KernelModel &Kernel) {
  if (Op.access())
    return Kernel.Accesses[*Op.access()].Space == MemorySpace::Shared
               ? Executes::Lds
               : Executes::Memory;
  switch (Op.Class) {
  case OpClass::IntAdd:
  case OpClass::Shift:
  case OpClass::Logic:
  case OpClass::Compare:
  case OpClass::Select:
  case OpClass::MinMax:
  case OpClass::BitField:
  case OpClass::Move:
  case OpClass::ConvertInt32:
  case OpClass::SpecialRegister:
    return Executes::Bookkeeping;
  case OpClass::Fp32Add:
  case OpClass::Fp32Mul:
  case OpClass::Fp32Fma:
  case OpClass::Fp64Add:
  case OpClass::Fp64Mul:
  case OpClass::Fp64Fma:
  case OpClass::Fp16Add:
  case OpClass::Fp16Mul:
  case OpClass::Fp16Fma:
  case OpClass::IntMul:
  case OpClass::Popc:
  case OpClass::Clz:
  case OpClass::Convert32:
  case OpClass::Convert64:
  case OpClass::Convert16:
    return Executes::Arithmetic;
  case OpClass::Shuffle:
    return Executes::Lds;
  default:
    return Executes::Other;
  }
}

/// A loop of the source that the machine code lacks was unrolled, up to this
/// number of iterations. A loop with more was removed for another reason, so
/// that its instructions are not looked for in the code around it.
constexpr double MostCopies = 1024;

using Place = std::tuple<std::string, unsigned, unsigned>;

Place placeOf(const SourceLocation &Location) {
  return {Location.File, Location.Line, Location.Column};
}

/// Instructions by unit, of one iteration of the source.
using Mix = std::array<double, NumMachineUnits>;

/// The loops of machine code by their place in the source. A compiler may make
/// several of one: of those with the most copies of the body, in which most
/// iterations run, the mean counts.
class LoopsOfCode {
public:
  explicit LoopsOfCode(const MachineCode &Code) {
    for (const LoopCode &L : drop_begin(Code.Loops)) {
      if (all_of(L.Instructions, [](unsigned N) { return N == 0; }))
        continue;
      HasUnknown |= !L.Location.isValid();
      Entry &E = Loops[placeOf(L.Location)];
      if (L.Copies > E.Copies)
        E = {L.Copies, 0, {}};
      if (L.Copies < E.Copies)
        continue;
      ++E.Number;
      for (unsigned Unit = 0; Unit < NumMachineUnits; ++Unit)
        E.Sum[Unit] += L.Instructions[Unit];
    }
  }

  bool contains(const Loop &L) const {
    return Loops.count(placeOf(L.Location)) > 0;
  }

  unsigned copies(const Loop &L) const {
    return Loops.at(placeOf(L.Location)).Copies;
  }

  Mix mix(const Loop &L) const {
    const Entry &E = Loops.at(placeOf(L.Location));
    Mix Result = {};
    for (unsigned Unit = 0; Unit < NumMachineUnits; ++Unit)
      Result[Unit] = E.Sum[Unit] / (double(E.Number) * E.Copies);
    return Result;
  }

  /// What is wrong if those of the model are all that a source has, or "".
  std::string compare(ArrayRef<Loop> OfModel) const {
    if (HasUnknown)
      return "a loop of it has no place in the source";
    for (const auto &[Where, E] : Loops)
      if (none_of(OfModel, [&, &Where = Where](const Loop &L) {
            return placeOf(L.Location) == Where;
          }))
        return "it has a loop at line " + std::to_string(std::get<1>(Where)) +
               " that the model has unrolled";
    return "";
  }

private:
  struct Entry {
    unsigned Copies = 0, Number = 0;
    Mix Sum = {};
  };
  std::map<Place, Entry> Loops;
  bool HasUnknown = false;
};

/// A loop, or the code around all loops: blocks of the model and the machine
/// instructions that execute them.
struct Region {
  Mix Instructions = {};
  unsigned Unroll = 1;
  /// Blocks and how often each runs in one iteration: the trip count of what
  /// the machine code has unrolled completely.
  std::vector<std::pair<unsigned, double>> Blocks;
};

class Matcher {
public:
  explicit Matcher(KernelModel &Kernel)
      : Kernel(Kernel), Code(*Kernel.Res.Code), Loops(Code) {}

  /// Returns why the instructions cannot be taken, or "".
  std::string run() {
    if (std::string Why = Loops.compare(Kernel.Loops); !Why.empty())
      return Why;
    Region &Around = Regions.emplace_back();
    for (unsigned Unit = 0; Unit < NumMachineUnits; ++Unit)
      Around.Instructions[Unit] = Code.Loops.front().Instructions[Unit];
    add(Kernel.Body, 0, 1);
    if (Problem.empty()) {
      for (auto [Index, Copies] : Unrolled)
        Kernel.Loops[Index].Unroll = Copies;
      for (const Region &R : Regions)
        take(R);
    }
    return Problem;
  }

private:
  void add(ArrayRef<RegionNode> Body, size_t Into, double Runs) {
    for (const RegionNode &Node : Body) {
      if (Node.Kind == RegionNode::IsBlock) {
        Regions[Into].Blocks.push_back({Node.Index, Runs});
        continue;
      }
      const Loop &L = Kernel.Loops[Node.Index];
      if (Loops.contains(L)) {
        unsigned Copies = Loops.copies(L);
        Unrolled.push_back({Node.Index, Copies});
        Regions.push_back({Loops.mix(L), Copies, {}});
        add(L.Body, Regions.size() - 1, 1);
      } else if (double Most = bound(L.TripCount, {}).High;
                 Most <= MostCopies) {
        add(L.Body, Into, Runs * std::max(1.0, Most));
      } else if (Problem.empty()) {
        Problem = "it has no loop at line " + std::to_string(L.Location.Line);
      }
    }
  }

  template <typename T> void forEachOperation(const Region &R, T Do) {
    for (auto [Block, Runs] : R.Blocks)
      for (unsigned I : Kernel.Blocks[Block].operations()) {
        Operation &Op = Kernel.Operations[I];
        // A branch stays one in machine code; waits are no instructions.
        if (Op.Count > 0 && Op.TensorMultiplyAdds == 0)
          Do(Op, Op.LoopOverhead ? Runs / R.Unroll : Runs);
      }
  }

  /// Multiplies the counts of the operations of one kind by Factor, so that
  /// their sum is rounded and not each of them.
  void scale(const Region &R, Executes Kind, double Factor) {
    double Wanted = 0;
    unsigned Given = 0;
    forEachOperation(R, [&](Operation &Op, double) {
      if (executesOn(Op, Kernel) != Kind ||
          (Kind == Executes::Lds && !Op.access()))
        return;
      Wanted += Op.Count * Factor;
      double Rest = std::round(Wanted) - Given;
      Op.Count = Rest > 0 ? static_cast<unsigned>(Rest) : 0;
      Given += Op.Count;
      Op.Chain = std::clamp(Op.Chain, 1u, std::max(1u, Op.Count));
    });
  }

  void take(const Region &R) {
    std::array<double, 5> InModel = {};
    forEachOperation(R, [&](const Operation &Op, double Runs) {
      InModel[static_cast<unsigned>(executesOn(Op, Kernel))] += Op.Count * Runs;
    });
    auto model = [&](Executes Kind) {
      return InModel[static_cast<unsigned>(Kind)];
    };
    auto machine = [&](MachineUnit Unit) {
      return R.Instructions[static_cast<unsigned>(Unit)];
    };
    if (double Integer = model(Executes::Bookkeeping); Integer > 0)
      scale(R, Executes::Bookkeeping,
            std::max(0.0, machine(MachineUnit::VectorAlu) -
                              model(Executes::Arithmetic)) /
                Integer);
    if (double Lds = model(Executes::Lds); Lds > 0)
      scale(R, Executes::Lds, std::min(1.0, machine(MachineUnit::Lds) / Lds));
    if (double Memory = model(Executes::Memory); Memory > 0)
      scale(R, Executes::Memory,
            std::min(1.0, (machine(MachineUnit::VectorMemory) +
                           machine(MachineUnit::ScalarMemory)) /
                              Memory));
  }

  KernelModel &Kernel;
  const MachineCode &Code;
  LoopsOfCode Loops;
  std::vector<Region> Regions;
  std::vector<std::pair<unsigned, unsigned>> Unrolled; ///< loop, copies
  std::string Problem;
};

} // namespace

void takeMachineInstructions(KernelModel &Kernel) {
  if (Kernel.Res.Code && !Kernel.Res.Code->Loops.empty())
    Kernel.Res.Code->WhyIr = Matcher(Kernel).run();
}

} // namespace gpuestimate
