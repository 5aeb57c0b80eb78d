/// \file
/// Runs a kernel's LLVM IR on the CPU, thread by thread, as a GPU would: warps
/// of 32 meet at shuffles and ballots, blocks at barriers, blocks run one after
/// the other. For kernels of integers, floats and doubles without calls.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_GRIDINTERPRETER_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_GRIDINTERPRETER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include <array>
#include <deque>
#include <string>
#include <vector>

namespace gpuestimate::testing {

/// The bits of a value; of a vector of two, both elements.
using Bits = std::array<uint64_t, 2>;

class GridInterpreter {
public:
  using Size = std::array<unsigned, 3>;

  /// Arguments: numbers and addresses, in order.
  GridInterpreter(const llvm::Function &Kernel, std::vector<uint64_t> Arguments)
      : Kernel(Kernel), Arguments(std::move(Arguments)) {}

  /// "" or why it cannot go on: an instruction that is not known, or threads
  /// that wait for each other in different places.
  std::string run(Size Grid, Size Block);

private:
  struct Thread {
    const llvm::BasicBlock *Before = nullptr;
    const llvm::Instruction *At = nullptr; ///< null: has ended
    bool Waits = false;
    Size Index = {};
    llvm::DenseMap<const llvm::Value *, Bits> Values;
    std::deque<std::vector<char>> Memory;
  };

  void runBlock();
  void advance(Thread &T);
  bool execute(Thread &T, const llvm::Instruction &I);
  void enter(Thread &T, const llvm::BasicBlock &From,
             const llvm::BasicBlock &To);
  bool meet(llvm::MutableArrayRef<Thread> Threads, bool AtBarrier);
  Bits exchanged(llvm::ArrayRef<Thread> Warp, size_t Lane,
                 const llvm::Instruction &I);
  Bits value(const Thread &T, const llvm::Value *V);
  Bits call(Thread &T, const llvm::Instruction &I);
  Bits binary(Thread &T, const llvm::Instruction &I);
  Bits atomic(Thread &T, const llvm::Instruction &I);
  uint64_t coordinate(const Thread &T, llvm::StringRef Register) const;
  uint64_t address(const Thread &T, const llvm::Value *Gep);
  void fail(const llvm::Value &V);

  const llvm::Function &Kernel;
  std::vector<uint64_t> Arguments;
  Size Grid = {}, Block = {}, BlockIndex = {};
  llvm::DenseMap<const llvm::Value *, std::vector<char>> Shared;
  std::string Problem;
};

} // namespace gpuestimate::testing

#endif
