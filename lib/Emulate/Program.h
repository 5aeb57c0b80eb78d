/// \file
/// A function decoded for emulation: every value has cells in a register file
/// (one per scalar of a vector or structure), every block its reconvergence
/// block, every instruction its handler.
#ifndef GPU_ESTIMATE_LIB_EMULATE_PROGRAM_H
#define GPU_ESTIMATE_LIB_EMULATE_PROGRAM_H

#include "CellNumbers.h"
#include "GlobalAddresses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include <vector>

namespace gpuestimate {

class WarpState;
struct Decoded;

/// Executes an instruction for the lanes of Mask; false when the emulation has
/// stopped.
using InstructionHandler = bool (*)(WarpState &W, const Decoded &D,
                                    uint64_t Mask);

/// One instruction.
struct Decoded {
  const llvm::Instruction *I = nullptr;
  unsigned Opcode = 0;
  unsigned Result = 0, Cells = 0;          ///< first cell, number
  llvm::SmallVector<unsigned, 3> Operands; ///< first cells; a call: arguments
  CellFormat Format = CellFormat::Integer; ///< of the first operand
  unsigned Bits = 0;                       ///< ... its scalar's
  CellFormat ResultFormat = CellFormat::Integer;
  unsigned ResultBits = 0;
  /// Null for terminators.
  InstructionHandler Handler = nullptr;
  double (*Unary)(double) = nullptr;
  double (*Binary)(double, double) = nullptr;
  unsigned Extra = 0; ///< a parameter of the handler
  /// Index of the condition or access in the counts, or -1.
  int Counter = -1;
  bool CountsCondition = false;
};

/// A phi of the target block: Cells cells are copied.
struct PhiCopy {
  unsigned Target, Source, Cells;
};
struct Edge {
  unsigned Target = 0; ///< block
  llvm::SmallVector<PhiCopy, 4> Copies;
  int Enters = -1; ///< the loop that the edge enters
};
struct DecodedBlock {
  const llvm::BasicBlock *BB = nullptr;
  std::vector<Decoded> Code; ///< the terminator is last
  llvm::SmallVector<Edge, 2> Edges;
  /// The immediate post-dominator, -1: the end of the function.
  int Reconvergence = -1;
  int HeaderOf = -1; ///< index in Program::Loops
};

/// A scalar of a type, with its offset in memory in bytes.
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
  /// Instructions with counters.
  std::vector<const llvm::Instruction *> Conditions, Accesses;
};

} // namespace gpuestimate

#endif
