#include "gpu-estimate/Model/Kernel/LoopTree.h"

namespace gpuestimate {

std::vector<int> loopsOfBlocks(const KernelModel &Kernel) {
  std::vector<int> Result(Kernel.Blocks.size(), -1);
  for (unsigned L = 0; L < Kernel.Loops.size(); ++L)
    for (const RegionNode &Node : Kernel.Loops[L].Body)
      if (Node.Kind == RegionNode::IsBlock)
        Result[Node.Index] = static_cast<int>(L);
  return Result;
}

std::vector<unsigned> blocksOfOperations(const KernelModel &Kernel) {
  std::vector<unsigned> Result(Kernel.Operations.size());
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B)
    for (unsigned I : Kernel.Blocks[B].operations())
      Result[I] = B;
  return Result;
}

bool isInLoop(llvm::ArrayRef<Loop> Loops, int Inner, int Outer) {
  for (; Inner != Outer; Inner = Loops[Inner].Parent)
    if (Inner < 0)
      return false;
  return true;
}

int commonLoop(llvm::ArrayRef<Loop> Loops, int A, int B) {
  while (!isInLoop(Loops, B, A))
    A = Loops[A].Parent;
  return A;
}

} // namespace gpuestimate
