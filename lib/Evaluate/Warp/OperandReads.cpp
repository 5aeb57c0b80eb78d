#include "OperandReads.h"
#include "gpu-estimate/Model/Kernel/LoopTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace gpuestimate {
namespace {

using Registers = llvm::SmallSet<unsigned, 4>; // by producing operation

bool isArithmetic(const Operation &Op) {
  if (Op.access() || Op.Count != 1 || Op.TensorMultiplyAdds > 0)
    return false;
  switch (info(Op.Class).UsualPipe) {
  case Pipe::Fp32:
  case Pipe::Fp64:
  case Pipe::Fp16:
  case Pipe::Int:
    return true;
  default:
    return false;
  }
}

Registers registersOf(const Operation &Op) {
  Registers Result;
  for (const Operand &O : Op.Operands)
    Result.insert(O.Producer);
  return Result;
}

/// The value of a loop's first iteration and that of the next ones are two
/// producers, but one register.
unsigned mostOperands(OpClass Class) {
  switch (Class) {
  case OpClass::Fp32Add:
  case OpClass::Fp32Mul:
  case OpClass::Fp64Add:
  case OpClass::Fp64Mul:
  case OpClass::Fp16Add:
  case OpClass::Fp16Mul:
    return 2;
  default:
    return 3;
  }
}

} // namespace

std::vector<double> operandReadCycles(const KernelModel &Kernel,
                                      const GpuModel &Gpu) {
  constexpr int FirstWithTwoPorts = 7; // major compute capability
  constexpr unsigned Ports = 2;
  std::vector<double> Cycles(Kernel.Operations.size());
  if (std::atoi(Gpu.ComputeCapability.c_str()) < FirstWithTwoPorts)
    return Cycles;
  for (const BasicBlock &B : Kernel.Blocks)
    for (unsigned I : B.operations()) {
      const Operation &Op = Kernel.Operations[I];
      if (!isArithmetic(Op))
        continue;
      Registers Read = registersOf(Op);
      unsigned Number = std::min<unsigned>(Read.size(), mostOperands(Op.Class));
      if (I > B.FirstOp && isArithmetic(Kernel.Operations[I - 1]) &&
          !Read.contains(I - 1)) {
        Registers Before = registersOf(Kernel.Operations[I - 1]);
        Number -=
            llvm::any_of(Read, [&](unsigned R) { return Before.contains(R); });
      }
      unsigned Words = Number * (Gpu.cost(Op.Class).On == Pipe::Fp64 ? 2 : 1);
      // A single one fits into what an odd number leaves free.
      Cycles[I] = Words < Ports ? 0 : std::ceil(double(Words) / Ports);
    }
  return Cycles;
}

std::vector<double> activeWarps(const KernelModel &Kernel,
                                const LaunchSample &Sample) {
  std::vector<double> Share(Kernel.Blocks.size());
  std::vector<int> LoopOf = loopsOfBlocks(Kernel);
  double All = 0;
  for (const WarpPath &P : Sample.Paths) {
    All += P.Weight;
    // Outer loops come before those that they contain.
    std::vector<bool> Entered(Kernel.Loops.size());
    for (unsigned L = 0; L < Kernel.Loops.size(); ++L) {
      int Outer = Kernel.Loops[L].Parent;
      Entered[L] = P.LoopShare[L] > 0 && P.LoopTrips[L] > 0 &&
                   (Outer < 0 || Entered[Outer]);
    }
    for (unsigned B = 0; B < Share.size(); ++B)
      if (P.BlockShare[B] > 0 && (LoopOf[B] < 0 || Entered[LoopOf[B]]))
        Share[B] += P.Weight;
  }
  for (double &S : Share)
    S = All > 0 ? S / All : 0;
  return Share;
}

} // namespace gpuestimate
