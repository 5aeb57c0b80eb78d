/// \file
/// The operations of compiled programs.
#ifndef GPU_ESTIMATE_LIB_SYMBOLIC_OPCODES_H
#define GPU_ESTIMATE_LIB_SYMBOLIC_OPCODES_H

#include "gpu-estimate/Symbolic/CompiledExprs.h"

namespace gpuestimate {

enum class CompiledExprs::Opcode : uint8_t {
  Add,
  Mul,
  PlainMul, ///< without the rule that 0 times unknown is 0
  Div,
  FloorDiv,
  CeilDiv,
  FloorMul,
  CeilMul, ///< ...Mul: by 1/2^k
  Mod,
  Min,
  Max,
  Less,
  LessEqual,
  Equal,
  NotEqual,
  Select,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  FloorLog2,
  SquareRoot,
  Sum,
};

/// Bindings that run side by side: a warp, and enough for the widest vectors.
inline constexpr unsigned ChunkLanes = 32;

} // namespace gpuestimate

#endif
