/// \file
/// The operation classes: Lowering counts a kernel's operations by class, and a
/// GPU model states latency and throughput by class. One table serves all
/// libraries and the docs. A class stands for one machine instruction of a
/// warp; sequences such as a division are several operations.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_OPCLASS_H
#define GPU_ESTIMATE_MODEL_MACHINE_OPCLASS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace gpuestimate {

enum class OpClass : uint8_t {
  Fp32Add,
  Fp32Mul,
  Fp32Fma,
  Fp64Add,
  Fp64Mul,
  Fp64Fma,
  Fp16Add,
  Fp16Mul,
  Fp16Fma,
  IntAdd,
  IntMul,
  Shift,
  Logic,
  Compare,
  Select,
  MinMax,
  BitField,
  Popc,
  Clz,
  Convert32,
  ConvertInt32,
  Convert64,
  Convert16,
  Sfu,
  Move,
  SpecialRegister,
  Shuffle,
  Vote,
  WarpReduce,
  Branch,
  Barrier,
  Fence,
  LoadGlobal,
  StoreGlobal,
  LoadShared,
  StoreShared,
  LoadConstant,
  LoadLocal,
  StoreLocal,
  Texture,
  AtomicGlobal,
  AtomicShared,
  AsyncCopy,
  TensorFp16,
  TensorTf32,
  TensorFp64,
  TensorInt8,
  Count_
};
inline constexpr unsigned NumOpClasses = static_cast<unsigned>(OpClass::Count_);

/// The execution pipes of a multiprocessor. Which class uses which pipe is a
/// property of the GPU (integer and fp32 share one pipe before Volta), so the
/// class table names only the usual one and a GPU model may say otherwise.
enum class Pipe : uint8_t {
  Fp32,
  Fp64,
  Fp16,
  Int,
  Sfu,
  Tensor,
  LoadStore,
  Texture,
  Branch,
  Issue,
  Count_
};
inline constexpr unsigned NumPipes = static_cast<unsigned>(Pipe::Count_);

/// One row of the class table.
struct OpClassInfo {
  OpClass Class;
  llvm::StringRef Name; ///< key in GPU model files and JSON, e.g. "fp32_fma"
  Pipe UsualPipe;
  bool IsMemory;               ///< latency comes from the memory hierarchy
  llvm::StringRef Description; ///< for docs, with example SASS mnemonics
};

llvm::ArrayRef<OpClassInfo> opClassTable();
const OpClassInfo &info(OpClass Class);

llvm::StringRef name(Pipe P);
std::optional<Pipe> pipeFromName(llvm::StringRef Name);

} // namespace gpuestimate

#endif
