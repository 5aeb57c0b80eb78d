/// \file
/// A function made ready for emulation: every value has cells in a register
/// file (one per scalar of a vector or structure), every block knows where its
/// branches meet again, every call its handler.
#ifndef GPU_ESTIMATE_LIB_EMULATE_PROGRAM_H
#define GPU_ESTIMATE_LIB_EMULATE_PROGRAM_H

#include "GlobalAddresses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include <vector>

namespace gpuestimate {

class Warp;
struct Decoded;

/// Executes a call for the lanes of a mask; false: the emulation has stopped.
using CallHandler = bool (Warp::*)(const Decoded &, uint64_t Mask);

/// How the bits of a cell are a number.
enum class CellFormat : uint8_t { Integer, Half, BFloat, Float, Double };

struct Decoded {
  const llvm::Instruction *I = nullptr;
  unsigned Opcode = 0;
  unsigned Result = 0, Cells = 0;          ///< first cell, number
  llvm::SmallVector<unsigned, 3> Operands; ///< first cells; a call: arguments
  CellFormat Format = CellFormat::Integer; ///< of the first operand
  unsigned Bits = 0;                       ///< ... its scalar's
  CellFormat ResultFormat = CellFormat::Integer;
  unsigned ResultBits = 0;
  /// Calls.
  CallHandler Handler = nullptr;
  double (*Unary)(double) = nullptr;
  double (*Binary)(double, double) = nullptr;
  unsigned Extra = 0; ///< the handler's
  /// Number of the condition, branch or access in the counts, or -1.
  int Counter = -1;
};

struct PhiCopy {
  unsigned To, From, Cells;
};
struct Edge {
  unsigned To = 0; ///< block
  llvm::SmallVector<PhiCopy, 4> Copies;
  int Enters = -1; ///< the loop that it leads into from outside
};
struct DecodedBlock {
  const llvm::BasicBlock *BB = nullptr;
  std::vector<Decoded> Code; ///< the terminator is the last one
  llvm::SmallVector<Edge, 2> Edges;
  int Meet = -1;     ///< the immediate post-dominator, -1: the function's end
  int HeaderOf = -1; ///< loop
};

/// Where the scalars of a type lie in memory.
struct Leaf {
  uint64_t Offset;
  llvm::Type *Type;
  unsigned Bytes;
};
llvm::SmallVector<Leaf, 4> leavesOf(llvm::Type *T,
                                    const llvm::DataLayout &Layout);
unsigned cellsOf(const llvm::Type *T);
CellFormat formatOf(const llvm::Type *T);
/// Width of the scalar in bits; 64 for pointers.
unsigned bitsOf(const llvm::Type *T, const llvm::DataLayout &Layout);

struct Program {
  /// An error names what cannot be emulated, with its instruction's line.
  static llvm::Expected<std::unique_ptr<Program>>
  decode(const llvm::Function &F, const GlobalAddresses &Globals);

  const llvm::Function *F = nullptr;
  std::vector<DecodedBlock> Blocks; ///< the entry first
  unsigned Cells = 0;
  llvm::SmallVector<unsigned> Arguments;                ///< first cells
  std::vector<std::pair<unsigned, uint64_t>> Constants; ///< cell, bits
  std::vector<const llvm::BasicBlock *> Loops;          ///< headers
  /// What is counted.
  std::vector<const llvm::Instruction *> Conditions, Accesses;
};

} // namespace gpuestimate

#endif
